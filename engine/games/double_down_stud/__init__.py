"""Double Down Stud: New Jersey 19:47-17."""

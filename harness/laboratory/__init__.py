"""A laboratory's own books: the register of its runs, and the process that holds its key and signs."""

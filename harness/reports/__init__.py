"""Reports of a run: one content, written as HTML, PDF and JUnit. All of it follows from the journal."""

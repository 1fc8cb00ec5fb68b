"""Forms a document is written in."""

"""Pages to print in true size, as PDF."""

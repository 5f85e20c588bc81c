"""Reports: each makes a folder with a self-contained page, figures, tables and a manifest."""

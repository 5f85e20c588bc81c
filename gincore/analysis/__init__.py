"""Frames and moments in, tidy frames out: intervals, summaries, comparisons. Nothing here simulates."""

"""Cells of microbenchmarks: loops, the facts and figures of a trial, times, counts, floors."""

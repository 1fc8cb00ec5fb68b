"""Statistics of samples: percentiles, effective sizes, intervals, ratios. Knows no trial."""

"""Judgement of right and wrong in the codec suite: pools, folds, encodings, conformance."""

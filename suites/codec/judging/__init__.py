"""What is right in the codec suite: pools, folds, encodings, conformance."""

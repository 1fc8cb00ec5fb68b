"""The application that asks a store for features and a model for scores, for any client."""

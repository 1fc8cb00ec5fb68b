"""The catalogue of metrics: what each is called and what it means."""

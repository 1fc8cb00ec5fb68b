"""The parts of the verifier of the suite ``kv``."""

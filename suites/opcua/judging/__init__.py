"""The parts of the verifier of the suite ``opcua``: values, reads and writes, changes."""

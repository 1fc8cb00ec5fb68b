"""The wire as a witness: what left and what arrived on the loopback of a trial, and when."""

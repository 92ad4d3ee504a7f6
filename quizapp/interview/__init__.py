"""The mock interview as a state machine."""

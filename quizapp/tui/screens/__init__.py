"""The screens; each asks a service and shows what it answers."""

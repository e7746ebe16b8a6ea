"""How a learner's code is run. One package or module an engine."""

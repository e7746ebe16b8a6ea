"""Where Triton is missing, as on a Mac, there is nothing to test."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("triton") and find_spec("torch") else ["test_*.py"]

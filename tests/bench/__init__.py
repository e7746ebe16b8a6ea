"""Benchmarks: `python -m tests.bench` measures and writes `docs/benchmarks.md` and `docs/benchmarks.json`."""

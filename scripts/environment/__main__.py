"""Make and keep `.venv`, the one environment that ./lab, make and the tests use.

    python scripts/environment fresh [--extra dev]     exit 0 if .venv is as it should be
    python scripts/environment make [--extra dev]      make or update it, if need be
    python scripts/environment again [--extra dev]     the same, looking at torch and the driver again

`lab` runs it with the Python it found (`fresh` with the environment's own), before anything
is installed: standard library only.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from environment import SetupError, locked, make, say, works
from plan import ROOT, Plan, decide, read_stamp, still_holds, write_stamp

ENVIRONMENT_FAULT = 3
INTERRUPTED = 130


def main() -> int:
    """Carry out one command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="scripts/environment")
    parser.add_argument("command", choices=["fresh", "make", "again"])
    parser.add_argument("--extra", action="append", default=[])
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv")
    asked = parser.parse_args()
    extras = tuple(asked.extra)
    if asked.command == "fresh":
        return 0 if is_fresh(asked.venv, extras) else 1
    try:
        with locked(asked.venv):
            bring_up(asked.venv, extras, again=asked.command == "again")
    except SetupError as error:
        say(str(error))
        return ENVIRONMENT_FAULT
    except KeyboardInterrupt:
        say("interrupted. Run ./lab again when you like: it begins where it must.")
        return INTERRUPTED
    return 0


def is_fresh(venv: Path, extras: tuple[str, ...]) -> bool:
    """True if the environment is finished and nothing it was decided from has changed."""
    stamp = read_stamp(venv)
    return stamp is not None and still_holds(stamp, extras)


def bring_up(venv: Path, extras: tuple[str, ...], again: bool) -> None:
    """Make the environment unless it is already what the machine and `extras` ask for."""
    stamp = read_stamp(venv)
    if stamp is not None and not again and still_holds(stamp, extras) and works(venv):
        return  # another ./lab made it while this one waited
    kept = tuple(extra for extra in stamp.extras if not extra.startswith("cu")) if stamp else ()
    plan = decide((*extras, *kept))
    if stamp is None or not is_same(stamp, plan) or not works(venv):
        make(venv, plan)
        return
    write_stamp(venv, plan)
    say(f"{venv.name} is up to date.")


def is_same(stamp: Plan, plan: Plan) -> bool:
    """True if both give the same environment, whichever driver of one CUDA version it was decided under."""
    return replace(stamp, driver=plan.driver, made_by=plan.made_by) == plan


if __name__ == "__main__":
    sys.exit(main())

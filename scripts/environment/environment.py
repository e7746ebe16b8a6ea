"""The environment itself: made, filled by pip, linked to the parent's packages."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from plan import ROOT, STAMP, Plan, read_stamp, without_torch, write_stamp

ALONE = "GPULAB_WITHOUT_PARENT"
"""Set while pip runs: the environment then sees its own packages only, so that it has its own numpy, say."""

LINK = "gpulab-parent.pth"

UNFINISHED = "gpulab-unfinished"
"""Lies in the environment while it is made: what is found with it may be half installed."""

CPU_WHEELS = "https://download.pytorch.org/whl/cpu"

CUDA_12_TORCH = "torch<2.11"
"""The last torch whose wheels on PyPI are for CUDA 12; 2.11 asks for cuda-bindings 13."""

REQUIREMENTS = """
import json
try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    from pip._vendor import tomli as tomllib
with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)["project"]
print(json.dumps([project["dependencies"], project["optional-dependencies"]]))
"""


class SetupError(Exception):
    """A step failed; the message says which, and what to try."""


def say(text: str) -> None:
    """Tell the learner, on stderr: stdout belongs to what is run afterwards."""
    print(f"gpulab: {text}", file=sys.stderr, flush=True)


def make(venv: Path, plan: Plan) -> None:
    """Bring `venv` to what `plan` says, and stamp it with what could be had of it."""
    started = time.monotonic()
    reason = why_anew(venv, plan)
    if reason:
        say(f"making {venv.name} anew: {reason}.")
        empty(venv)
    with unfinished(venv):
        create(venv)
        if not install_torch(venv, plan):
            plan = without_torch(plan)
        install_gpulab(venv, plan)
        link_parent(venv, plan)
        write_stamp(venv, plan)
    say(f"{venv.name} is ready, made in {time.monotonic() - started:.0f} s.")


@contextlib.contextmanager
def unfinished(venv: Path) -> Iterator[None]:
    """Mark `venv` while it is changed. The mark outlives a kill, not a step that failed: pip leaves no halves then."""
    mark = venv / UNFINISHED
    venv.mkdir(exist_ok=True)
    mark.touch()
    (venv / STAMP).unlink(missing_ok=True)
    try:
        yield
    except SetupError:
        mark.unlink(missing_ok=True)
        raise
    mark.unlink(missing_ok=True)


def python_of(venv: Path) -> str:
    """The environment's interpreter."""
    return str(venv / "bin" / "python")


def why_anew(venv: Path, plan: Plan) -> str:
    """Why what is there cannot be built upon; empty if it can (one made by hand is adopted)."""
    if not venv.exists() or not any(venv.iterdir()):
        return ""
    if (venv / UNFINISHED).exists():
        return "the last run was interrupted"
    if not works(venv):
        return "its Python no longer runs"
    before = read_stamp(venv)
    if before is None:
        return ""
    pairs = (("Python", before.python, plan.python), ("torch", before.torch, plan.torch))
    changes = [f"{name} was {old} and is now {new}" for name, old, new in pairs if old != new and old != "none"]
    return ", ".join(changes)


def works(venv: Path) -> bool:
    """True if the environment's Python runs, is the version it was made for, and has pip."""
    test = "import pip, sys; sys.exit(not pip.__file__.startswith(sys.prefix))"
    return run([python_of(venv), "-I", "-c", test], quiet=True) == 0


def empty(folder: Path) -> None:
    """Remove what is in `folder`, not the folder: it may be a link to a larger disk."""
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def create(venv: Path) -> None:
    """Make the environment with pip in it, with what this Python has: ensurepip, else its own pip, else uv."""
    if (venv / "pyvenv.cfg").exists() and works(venv):
        return
    say(f"making {venv.name} with Python {sys.version.split()[0]} ({sys.executable}).")
    make_venv = [sys.executable, "-m", "venv", "--prompt", "gpulab", str(venv)]
    if has("venv", "ensurepip") and run(make_venv) == 0 and works(venv):
        return
    if has("venv", "pip") and run([*make_venv, "--without-pip"]) == 0 and borrow_pip(venv):
        return
    uv = shutil.which("uv")
    if uv and run([uv, "venv", "--quiet", "--seed", "--allow-existing", "--python", sys.executable, str(venv)]) == 0:
        return
    raise SetupError(f"{sys.executable} could not make a virtual environment.")


def has(*modules: str) -> bool:
    """True if this Python has all of `modules`. (Debian takes `ensurepip` out of `venv`.)"""
    return run([sys.executable, "-c", f"import {', '.join(modules)}"], quiet=True) == 0


def borrow_pip(venv: Path) -> bool:
    """Let the parent's pip install pip into the environment. `--target` works with every pip, PEP 668 or not."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    target = venv / "lib" / version / "site-packages"
    return run([sys.executable, "-m", "pip", *PIP_OPTIONS, "install", "--target", str(target), "pip"]) == 0


PIP_OPTIONS = ["--disable-pip-version-check", *([] if sys.stderr.isatty() else ["-qq"])]


def pip_install(venv: Path, *arguments: str, quiet: bool = False) -> bool:
    """Run the environment's pip where the parent's packages are out of sight; True if it succeeded."""
    command = [python_of(venv), "-I", "-m", "pip", *PIP_OPTIONS, "--no-input", "install", *arguments]
    return run(command, quiet=quiet, in_one_line=sys.stderr.isatty()) == 0


def run(command: list[str], quiet: bool = False, in_one_line: bool = False) -> int:
    """Run a step in the checkout, its output on stderr; settings meant for another environment are left out.

    With `in_one_line` each line of its output replaces the one before; what it complains of stays.
    """
    environment = {key: value for key, value in os.environ.items() if key not in FOREIGN}
    environment.update({ALONE: "1", "PIP_USER": "0"})
    sink = subprocess.DEVNULL if quiet else sys.stderr
    try:
        if in_one_line and not quiet:
            with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stderr=sys.stderr,
                                  stdout=subprocess.PIPE, text=True, errors="replace") as step:
                show_in_one_line(step.stdout or ())
            return step.returncode
        return subprocess.call(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink)
    except OSError:  # it is not there
        return 127


def show_in_one_line(lines: Iterable[str]) -> None:
    """Show what comes on one row of the terminal, which is empty again in the end."""
    room = shutil.get_terminal_size().columns - 1
    for line in lines:
        if line.strip():
            print(f"\r\x1b[K{f'  {line.strip()}'[:room]}", end="", file=sys.stderr, flush=True)
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)


FOREIGN = {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIRE_VIRTUALENV", "PYTHONHOME", "__PYVENV_LAUNCHER__"}


def install_torch(venv: Path, plan: Plan) -> bool:
    """Bring torch where the parent has none. False if none can be had without fetching a CUDA build for no GPU."""
    if plan.torch == "parent":
        say(f"using the torch of {plan.made_by} ({Path(plan.torch_file).parent}).")
        return True
    if any(venv.glob("lib/python*/site-packages/torch")):
        say(f"keeping the torch in {venv.name}.")
    elif plan.torch != "cpu":
        say(f"no torch in {plan.made_by}: installing the build for {plan.torch.upper()}, several GB.")
    else:
        say(f"no torch in {plan.made_by} and no NVIDIA driver: installing a CPU build.")
    if plan.torch != "cpu":
        return True  # comes with the other requirements
    wanted = ["-r", "constraints-cpu.txt"]
    # What pip is set up to see comes first: a mirror or a folder of wheels may have it.
    if pip_install(venv, *wanted, quiet=True):
        return True
    if pip_install(venv, *wanted, "--extra-index-url", CPU_WHEELS, quiet=not sys.stderr.isatty()):
        return True
    say("no CPU build of torch can be reached from here, so torch is left out. Every Numba puzzle works without it.")
    say(f"to add it later: {venv.name}/bin/python -m pip install torch (a CUDA build, several GB), or ./lab env again.")
    return False


def install_gpulab(venv: Path, plan: Plan) -> None:
    """Install what pyproject.toml asks for, then gpulab itself, from the checkout."""
    say("installing what gpulab needs (a minute or two, the first time).")
    wanted = requirements(venv, plan)
    if not pip_install(venv, *wanted) or not pip_install(venv, "--no-deps", "--editable", "."):
        raise SetupError(
            "pip could not install what gpulab needs; its message is above. "
            "No network? Set PIP_INDEX_URL to a mirror, or PIP_NO_INDEX=1 and PIP_FIND_LINKS to a folder of wheels."
            + constraint_hint()
        )


def constraint_hint() -> str:
    """Images by NVIDIA pin hundreds of versions through PIP_CONSTRAINT, which may not go with ours."""
    pins = os.environ.get("PIP_CONSTRAINT")
    return f" PIP_CONSTRAINT={pins} is set: if it is in the way, run `PIP_CONSTRAINT= ./lab env`." if pins else ""


def requirements(venv: Path, plan: Plan) -> list[str]:
    """The dependencies and the extras asked for, less what the parent provides or nobody can."""
    listed = subprocess.run([python_of(venv), "-I", "-c", REQUIREMENTS], cwd=ROOT, capture_output=True, check=True)
    always, extras = json.loads(listed.stdout)
    wanted: list[str] = always + [line for extra in plan.extras for line in extras[extra]]
    if plan.torch in ("parent", "none"):
        wanted = [line for line in wanted if name_of(line) != "torch"]
    if plan.triton != "own":
        wanted = [line for line in wanted if name_of(line) != "triton"]
    return wanted + ([CUDA_12_TORCH] if plan.torch == "cuda 12" else [])


def name_of(requirement: str) -> str:
    """The distribution's name in a requirement line."""
    end = next((at for at, letter in enumerate(requirement) if letter in " [<>=!~;@("), len(requirement))
    return requirement[:end].lower()


def link_parent(venv: Path, plan: Plan) -> None:
    """Show the parent's packages behind our own, its .pth files included; nothing where torch is ours.

    Python executes a line of a .pth file that begins with `import` (in a scope where comprehensions see no names).
    """
    for link in venv.glob(f"lib/python*/site-packages/{LINK}"):
        link.unlink()
    if not plan.sites:
        return
    line = f"import os, site; {ALONE!r} in os.environ or list(map(site.addsitedir, {list(plan.sites)!r}))\n"
    (venv / "lib" / f"python{plan.python}" / "site-packages" / LINK).write_text(line)
    check_torch(venv)


def check_torch(venv: Path) -> None:
    """Say at once if the parent's torch, fine over there, does not import beside our packages."""
    done = subprocess.run([python_of(venv), "-c", "import torch"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        say(f"torch imports in its own Python but not in {venv.name}: {last}")
        say("every Numba puzzle works without it. Please report this, with the output of `./lab doctor`.")


@contextlib.contextmanager
def locked(venv: Path) -> Iterator[None]:
    """One ./lab at a time makes the environment; another waits. The lock goes with its process, however it ends."""
    import fcntl

    with open(f"{venv}.lock", "a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another ./lab is making {venv.name}: waiting for it.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError:
            pass  # a network volume without locks: go on without
        yield

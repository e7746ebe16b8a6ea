"""`new`, `verify`: for who writes puzzles."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from gpulab.cli.failure import Failure
from gpulab.cli.session import Session, session_command

if TYPE_CHECKING:
    from gpulab.authoring.proof import Proof


@session_command("new", short_help="For authors: the files of a new puzzle.")
@click.argument("id")
def new_command(session: Session, id: str) -> None:
    """Write the first files of a puzzle and enter it in tracks.yaml; gpulab verify then says what is to be done."""
    from gpulab.authoring.scaffold import Refused, scaffold

    try:
        files = scaffold(session.catalog, id)
    except Refused as refusal:
        raise Failure(str(refusal)) from None
    if session.out.json:
        session.out.data({"version": 1, "puzzle": id, "files": [str(file) for file in files]})
        return
    for file in files:
        session.out.line(str(file))
    session.out.line(f"It is a puzzle already, an empty one. What to write next: gpulab verify {id}")


@session_command("verify", short_help="For authors: prove that the puzzles hold.")
@click.argument("ids", nargs=-1, metavar="[ID...]")
@click.option("--seed", type=click.IntRange(0), help="Repeat the numbers of an earlier run.")
def verify_command(session: Session, ids: tuple[str, ...], seed: int | None) -> int:
    """Prove puzzles, all of them or those named: wrong solutions fail for their reason, right ones pass.

    Exit status: 0 all hold, 1 something does not.
    """
    from gpulab.authoring.proof import prove

    begun, proofs = time.monotonic(), []
    for proof in prove(session.puzzles(ids), seed):
        proofs.append(proof)
        if not session.out.json:
            _print(session, proof)
    seconds = time.monotonic() - begun
    holds = all(proof.holds for proof in proofs)
    if session.out.json:
        session.out.data({"version": 1, "passed": holds, "seconds": round(seconds, 2),
                          "puzzles": [_data(proof) for proof in proofs]})
    else:
        bad = sum(not proof.holds for proof in proofs)
        said = f"All {len(proofs)} puzzles hold" if holds else f"{bad} of {len(proofs)} puzzles do not hold"
        session.out.line(f"{said} ({seconds:.0f} s).")
    return 0 if holds else 1


def _print(session: Session, proof: Proof) -> None:
    mark, colour = ("●", "green") if proof.holds else ("×", "red")
    session.out.line(f"{mark} {proof.puzzle:<28} {proof.wrong} wrong, {proof.right} right, {proof.seconds:.1f} s",
                     fg=colour)
    for problem in proof.problems:
        session.out.line(f"    {problem}")


def _data(proof: Proof) -> dict[str, object]:
    problems = [{"file": str(problem.file), "line": problem.line, "message": problem.message, "cure": problem.cure}
                for problem in proof.problems]
    return {"id": proof.puzzle, "passed": proof.holds, "wrong": proof.wrong, "right": proof.right,
            "seconds": round(proof.seconds, 3), "problems": problems}

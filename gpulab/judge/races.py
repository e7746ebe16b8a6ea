"""A race in words: who collides with whom, why nothing orders them, and where to wait."""

from __future__ import annotations

from dataclasses import dataclass

from gpulab.judge.wording import Naming, capital, element, fit, sentence
from gpulab.trace.model import Finding, Site


@dataclass(frozen=True)
class Scene:
    """What the file and the launch say about a finding.

    `same_loop`: one loop holds both lines of a race. `latest`: the last of the lines above the racing one that race
    with it. `is_argument`: the array is a parameter of the kernel. `neighbours`: a line that races with itself uses
    another element of the array besides the one it changes; `waits`: each round of its loop has a barrier.
    """

    naming: Naming
    same_loop: bool = False
    latest: int = 0
    is_argument: bool = False
    neighbours: bool = False
    waits: bool = False


def message(finding: Finding, naming: Naming) -> str:
    """Who collides with whom on which element."""
    other, where = finding.other, element(finding.array or "it", finding.index)
    if other is None or finding.thread is None or finding.block is None:
        return sentence(finding.message)
    if other.block != finding.block:
        full = (naming.thread(finding.thread, finding.block), naming.thread(other.thread, other.block))
        return fit(_collision(finding, *full, where),
                   _collision(finding, naming.block(finding.block), naming.block(other.block), where))
    names = naming.thread(finding.thread, finding.block), naming.thread(other.thread)
    short = naming.thread(finding.thread), naming.thread(other.thread)
    first_block = finding.block == (0, 0, 0)
    return fit(_collision(finding, *(short if first_block else names), where), _collision(finding, *short, where))


def _collision(finding: Finding, who: str, other: str, where: str) -> str:
    bare = {"reads": "read", "writes": "write", "updates": "update"}
    does, did = finding.access or "reads", finding.other_access or "writes"
    if does == did == "writes":
        return f"{capital(who)} and {other} both write {where}: one value is lost."
    if did == "reads":
        return f"{capital(who)} may {bare[does]} {where} before {other} has read it."
    return f"{capital(who)} {does} {where} while {other} may still {bare[did]} it."


def reason(finding: Finding, scene: Scene) -> tuple[str, str]:
    """Why nothing keeps the two apart, and what to do."""
    line, where = finding.line, element(finding.array or "it", finding.index)
    other = finding.other
    if other is None:
        return f"It happens on line {line}.", "Decide which thread owns it, and when others may look."
    if other.block != finding.block:
        return ("Blocks run in any order, and no barrier makes one wait for another.",
                f"Let one block own {where}, or combine the blocks' parts safely.")
    if other.line == line:
        return _on_one_line(finding, scene)
    if scene.same_loop and line < other.line:
        return (f"The next round reaches line {line} before all threads are past line {other.line}.",
                f"Make every thread wait before the next round reaches line {line}.")
    return _on_two_lines(finding, other, scene)


def _on_one_line(finding: Finding, scene: Scene) -> tuple[str, str]:
    line, where = finding.line, element(finding.array or "it", finding.index)
    if finding.other is not None and finding.access == finding.other_access:
        return f"Line {line} does it for both, and nothing orders them.", f"Decide which thread owns {where}."
    if not scene.neighbours:
        return (f"Line {line} reads and writes in separate steps, others come in between.",
                f"Let threads change {where} one after another.")
    if scene.same_loop and not scene.waits:
        return (f"Threads begin a new round on line {line} while others are in the last one.",
                "Make every thread wait between two rounds.")
    return (f"On line {line} some threads write their element before others have read it.",
            f"Make every thread wait between reading and writing on line {line}.")


def _on_two_lines(finding: Finding, other: Site, scene: Scene) -> tuple[str, str]:
    line = finding.line
    first, last = min(line, max(other.line, scene.latest)), max(line, other.line)
    wait = f"Make every thread wait between line {first} and line {last}."
    if finding.thread and scene.naming.warp(finding.thread) == scene.naming.warp(other.thread):
        return f"Nothing makes line {line} wait for line {other.line}, not even being in one warp.", wait
    return f"Nothing makes line {line} wait for line {other.line}: no barrier between them.", wait

"""What was found in a Triton launch, in words: programs, their masks and their lanes."""

from __future__ import annotations

import re
from dataclasses import replace

from gpulab.judge.report import Diagnosis
from gpulab.judge.wording import Naming, capital, count, element, sentence
from gpulab.trace.model import Finding


def found(finding: Finding, naming: Naming) -> tuple[str, str, str]:
    """(message, detail, next) for a finding."""
    maker = {"out of bounds": _out_of_bounds, "race": _race, "uninitialised read": _masked_out,
             "timed out": _timed_out}[finding.kind]
    return sentence(finding.message), *maker(finding, naming)


def _out_of_bounds(finding: Finding, naming: Naming) -> tuple[str, str]:
    line, array = finding.line, finding.array
    if array is None:
        return (f"Line {line} takes a number for an address.", "An address is a pointer argument plus an offset.")
    who = naming.block(finding.block) if finding.block else "it"
    if finding.index and min(finding.index) < 0:
        return (f"On a GPU line {line} touches whatever lies there.",
                f"Which lanes of {who} begin in front of {array}?")
    outside = count(finding.count, "lane lies", "lanes lie")
    if finding.masked:
        through = "it" if finding.count == 1 else "them"
        return (f"{capital(outside)} outside {array}, and the mask on line {line} lets {through} through.",
                f"What must hold for a lane of line {line} to have an element?")
    return (f"Line {line} has no mask, and {outside} outside {array}.",
            f"Which lanes of line {line} have no element, and what keeps them out?")


def _race(finding: Finding, naming: Naming) -> tuple[str, str]:
    line, where, other = finding.line, element(finding.array or "it", finding.index), finding.other
    if other is not None and other.block == finding.block:
        return (f"Line {line}: which of the lanes comes last is not said anywhere.",
                f"Which lanes of one program should own {where}?")
    if other is not None and other.line != line:
        return ("Programs run in any order, or at once, and none waits for another.",
                f"Let one program own {where}, or split line {other.line} and line {line} into two kernels.")
    return ("Programs run in any order, or at once, and none waits for another.",
            f"Let one program own {where}, or combine the parts safely.")


def _masked_out(finding: Finding, naming: Naming) -> tuple[str, str]:
    return ("Its mask keeps them from memory, and without other= they may hold anything.",
            "What should those lanes hold, so that they do not count?")


def _timed_out(finding: Finding, naming: Naming) -> tuple[str, str]:
    return ("It may never end, or do far more work than the puzzle needs.",
            "Which condition should end it, and who makes it true?")


_SAID_OF_PROGRAMS = tuple((re.compile(pattern), words) for pattern, words in (
    (r"the blocks run in another order", "the programs run in another order"),
    (r"What does a block use that another block must have finished", "What does a program use that another must have "
                                                                     "finished"),
    (r"a thread of (block (?:\([^)]*\)|\d+))", r"the program of \1"),
    (r"a thread of (the last|this|another) block", r"the program of \1 block"),
    (r"do the threads of the last block do", "does the program of the last block do"),
    (r"[Tt]he threads of your kernel", "the programs of your kernel"),
    (r"the first thread\b", "the first lane"), (r"the first threads", "the first lanes"),
    (r"the last thread\b", "the last lane"), (r"the last threads", "the last lanes"),
    (r"threads of a block", "lanes of a block"), (r"Follow thread 0", "Follow program 0"),
    (r"Take one thread", "Take one lane"), (r"\bThread\b", "Program"), (r"\bthread\b", "program"),
    (r"\bthreads\b", "programs"),
))
"""What is said of threads where no finding names one, as it is said of Triton's programs and their blocks of lanes."""


def in_programs(found: Diagnosis) -> Diagnosis:
    """The diagnosis in Triton's words."""
    pattern = found.mismatch and found.mismatch.pattern
    mismatch = replace(found.mismatch, pattern=_said(pattern)) if found.mismatch and pattern else found.mismatch
    return replace(found, message=_said(found.message), detail=_said(found.detail), next=_said(found.next),
                   mismatch=mismatch)


def _said(text: str) -> str:
    for pattern, words in _SAID_OF_PROGRAMS:
        text = pattern.sub(words, text)
    return text

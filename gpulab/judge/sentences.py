"""Every diagnosis in words: the sentence, the reason, and what to do next.

One row of 76 columns each where the names allow it. A sentence names thread and element; the reason names the
line. Nothing here says how to mend it: that is what hints are for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gpulab.catalog.errors import CatalogError
from gpulab.judge import programs, races
from gpulab.judge.report import BudgetLine, Diagnosis
from gpulab.judge.session import Function
from gpulab.judge.wording import Naming, capital, count, element, fit, number, sentence, two_numbers
from gpulab.trace.model import Finding, Run
from gpulab.trace.values import Value, Write

if TYPE_CHECKING:
    from gpulab.engines.simt.host.session import Transfer

# The file


def missing_function(call: str, names: Sequence[str], decorator: str | None, kernel: bool,
                     makes: str = "cuda.jit") -> Diagnosis:
    """The file does not define what the puzzle asks for, or makes another thing of it by its `decorator`.

    `makes` is the decorator that makes a kernel of a function.
    """
    name, what = call.partition("(")[0], "kernel" if kernel else "function"
    if decorator is not None and kernel:
        return Diagnosis("does not compile", f"{name} is no kernel: @{decorator} makes another thing of it.",
                         f"A kernel has @{makes} above it, and stores its results in arrays.",
                         f"Write {call} below a line @{makes}.")
    detail = f"It defines {', '.join(names)}." if names else "It defines no function at all."
    return Diagnosis("does not compile", f"There is no {what} {name} in your file.", fit(detail, "It defines others."),
                     f"Write {call}{f' below a line @{makes}' if kernel else ''}.")


def wrong_kind(function: Function, call: str, decorator: str | None, kernel: bool,
               makes: str = "cuda.jit") -> Diagnosis:
    """A plain function where a kernel must be, or the reverse. `decorator` is its last one, without arguments."""
    name = function.name
    if function.kind == "device function":
        message, detail = f"{name} is a device function, which nobody can launch.", "A kernel has @cuda.jit alone."
    elif kernel and decorator is not None and not decorator.startswith("cuda."):
        does = "compiles it for the CPU" if decorator.endswith("jit") else "makes another thing of it"
        message, detail = f"{name} is no kernel: @{decorator} {does}.", f"A kernel has @{makes} above it."
    elif kernel:
        message, detail = f"{name} is a plain Python function, not a kernel.", f"The line @{makes} above it is missing."
    else:
        message, detail = f"{name} is a kernel, but it is called as a plain function.", "It shall launch your kernels."
    next = f"Make {call} a {'kernel' if kernel else 'plain function that launches your kernels'}."
    return Diagnosis("does not compile", message, detail, next, line=function.line)


def wrong_parameters(function: Function, wanted: Sequence[str]) -> Diagnosis:
    """Another number of parameters than the launch passes."""
    takes = count(len(function.parameters), "argument")
    defaults = function.required is not None and function.required <= len(wanted) < len(function.parameters)
    if function.kind == "kernel" and defaults:
        extra = function.parameters[len(wanted):]
        return Diagnosis(
            "does not compile", f"{function.name} takes {takes}, but is launched with {len(wanted)}.",
            "A default value is of no use to a kernel: a launch gives it every argument.",
            fit(f"Take {' and '.join(extra)} out of the parameters; a constant above the kernel will do.",
                "Take the others out of the parameters."), line=function.line)
    return Diagnosis(
        "does not compile", f"{function.name} takes {takes}, but is called with {len(wanted)}.",
        fit(f"Yours are: {', '.join(function.parameters) or 'none'}.", "Yours are others."),
        f"Give it these, in this order: {', '.join(wanted)}.", line=function.line)


def forbidden(name: str, line: int) -> Diagnosis:
    """A rule of the puzzle is broken."""
    return Diagnosis("not allowed", f"Line {line} uses {name}, which this puzzle does not allow.",
                     "The lesson here is to do without it.", f"Do what {name} does in another way.", line=line)


# What the simulator found


def found(finding: Finding, scene: races.Scene) -> tuple[str, str, str]:
    """(message, detail, next) for a finding."""
    naming = scene.naming
    if naming.programs:
        return programs.found(finding, naming)
    if finding.kind == "race":
        return races.message(finding, naming), *races.reason(finding, scene)
    if finding.kind == "timed out":
        return _never_ends(finding, naming)
    maker = {"out of bounds": _out_of_bounds, "barrier divergence": _divergence, "raised": _raised_in_kernel,
             "uninitialised read": _argument_unread if scene.is_argument else _uninitialised}[finding.kind]
    return sentence(finding.message), *maker(finding)


def _out_of_bounds(finding: Finding) -> tuple[str, str]:
    line, array = finding.line, finding.array or "it"
    if finding.index and min(finding.index) < 0:
        return (f"Line {line}: Numba counts from the end here, CUDA C takes other memory.",
                f"What should happen where nothing lies in front of {array}?")
    times = {1: "once", 2: "twice"}.get(finding.count, f"{finding.count} times")
    return (f"Line {line} does so {times}; on a GPU it touches whatever lies there.",
            f"Let line {line} touch only elements that {array} has.")


def _divergence(finding: Finding) -> tuple[str, str]:
    line = finding.line
    if finding.access is not None and finding.other is not None:
        return ("Lanes that name each other must give one mask; else anything may come out.",
                f"Let the lanes on line {line} agree on who takes part.")
    if finding.access is not None:
        return ("A lane that calls must have its own bit set; else anything may come out.",
                f"Which lanes run line {line}? Their bits make the mask.")
    if finding.call not in (None, "the barrier"):
        return ("The mask names its lane, so the others would wait for it forever.",
                f"Bring every lane that the mask names to line {line}.")
    return ("Those who wait would wait forever: a barrier needs the whole block.",
            f"Bring every thread of the block to line {finding.line}, or none.")


def _uninitialised(finding: Finding) -> tuple[str, str]:
    if finding.call is not None:
        return (f"What line {finding.line} gets from there may be anything: nobody offers a value.",
                f"Which lanes do not come to line {finding.line}, and who asks them?")
    where = element(finding.array or "it", finding.index)
    return (f"Line {finding.line} reads what was left there by others: it may be anything.",
            f"Who should fill {where} before line {finding.line}?")


def _argument_unread(finding: Finding) -> tuple[str, str]:
    return (f"Line {finding.line}: {finding.array} starts with whatever was in that memory.",
            f"What should {element(finding.array or 'it', finding.index)} be before line {finding.line}?")


def _raised_in_kernel(finding: Finding) -> tuple[str, str]:
    return (f"It comes from line {finding.line}, in {count(finding.count, 'thread')}.",
            f"Which value makes line {finding.line} fail?")


def _never_ends(finding: Finding, naming: Naming) -> tuple[str, str, str]:
    cure = "Which condition should end it, and who makes it true?"
    if finding.thread is None:
        return finding.message, "It may never end, or do far more work than the puzzle needs.", cure
    who = capital(naming.thread(finding.thread, finding.block))
    return (f"The loop on line {finding.line} never ends: nothing that it tests changes any more.",
            f"{who} is still in it, and would be for ever.", cure)


# What the judge saw


def stray_write(array: str) -> tuple[str, str, str]:
    """A guard band or a gap between strided elements changed."""
    return (f"Something wrote into memory just beside {array}.", "No element lies there, but other data may.",
            f"Which index leads out of {array}?")


def unwritten(array: str, index: tuple[int, ...], everything: bool) -> str:
    """Elements nobody wrote."""
    return f"{array} was never written." if everything else f"{element(array, index)} was never written."


def nothing_stored(runs: Sequence[Run]) -> str:
    """Why a whole output is unwritten: no launch, no store, or stores elsewhere."""
    if not runs:
        return "No kernel was launched."
    if not sum(run.counters.totals.get("global_stores", 0) + run.counters.totals.get("atomics", 0) for run in runs):
        return f"Your kernel {'ran' if len(runs) == 1 else 'runs'} and stored nothing in global memory."
    return "Your kernel stored something, but nothing there."


def nothing_launched(array: str) -> str:
    """What to do where no kernel was launched at all."""
    return f"Launch a kernel that fills {array}."


WHICH_NUMBER = "Which number in your file fits the listed sizes, and no others?"


def only_drawn(sizes: Mapping[str, int]) -> str:
    """A solution that fails only where the size was drawn for this check."""
    drawn = ", ".join(f"{name} = {value}" for name, value in sizes.items())
    return fit(f"All listed sizes are right; {drawn} was drawn for this check.",
               "All listed sizes are right; this one was drawn for this check.")


def which_thread(array: str, index: tuple[int, ...]) -> str:
    """What to look at where no pattern helps."""
    return f"Which thread should write {element(array, index)}, and what?"


def broken_puzzle(id: str, error: CatalogError) -> Diagnosis:
    """The puzzle itself cannot be used."""
    return Diagnosis("environment", f"The puzzle {id} is broken: {error.problem}", str(error),
                     "This is no fault of your code. Please report it.", line=None)


def wrong(array: str, index: tuple[int, ...], expected: Value, got: Value) -> str:
    """A wrong element."""
    should, is_ = two_numbers(expected, got)
    return f"{element(array, index)} should be {should} and is {is_}."


def writer(write: Write, naming: Naming) -> str:
    """Who wrote an element, on which line."""
    who = naming.thread(write.thread, write.block)
    return f"{capital(who)} wrote it on line {write.line}."


def changed_input(array: str, index: tuple[int, ...], before: Value, now: Value, write: str) -> tuple[str, str, str]:
    """An input that was not left alone."""
    was, is_ = two_numbers(before, now)
    return (f"{element(array, index)} is an input, and it changed from {was} to {is_}.",
            write or "Inputs must come back as they were.", "Write results to the output only.")


def stale_output(array: str, index: tuple[int, ...], line: int | None) -> tuple[str, str, str]:
    """A result that was computed from what an output held before the launch."""
    where = element(array, index)
    reads = f"Line {line} reads it; " if line else ""
    return (f"{where} depends on what {array} held before your kernel ran.",
            capital(f"{reads}at first {array} holds whatever was in that memory."),
            f"What should {where} start from?")


def depends_on_order(array: str, index: tuple[int, ...], one: Value, other: Value) -> tuple[str, str, str]:
    """Two orders of blocks, two results."""
    first, second = two_numbers(one, other)
    return (f"{element(array, index)} changes when the blocks run in another order.",
            f"In order it is {first}, in another order {second}; a GPU promises none.",
            "What does a block use that another block must have finished?")


def no_picture_yet() -> Diagnosis:
    """Of a Triton puzzle."""
    return Diagnosis("environment", "What Triton's programs do to memory is not drawn yet.",
                     "A check finds their faults and counts what they cost all the same.",
                     "See Result, or type gpulab check.")


def no_launch() -> tuple[str, str, str]:
    """A host function that did without a kernel."""
    return ("No kernel was launched, yet there was work to do.", "Here the work must be done by your kernels.",
            "Launch a kernel that fills the output.")


def too_many_launches(launched: int, most: int) -> tuple[str, str, str]:
    """More launches than the case allows."""
    message = f"Your code launches {count(launched, 'kernel')} here, and at most {most} may be."
    return (message if most else "There is nothing to do here, yet a kernel was launched.",
            "A launch takes microseconds even when it has nothing to do.", "Which launches have nothing to do?")


def too_few_stores(array: str, elements: int, stores: int) -> tuple[str, str, str]:
    """Outputs that were filled on the host."""
    return (f"{array} has {count(elements, 'element')}, but your kernels stored only {count(stores, 'value')}.",
            "The rest was filled in on the host.", "Let your kernels write every element.")


def detour(sent: Transfer, fetched: Transfer) -> tuple[str, str, str]:
    """New values for the device after values of the device went to the host."""
    if sent.line is None:
        message = f"Line {fetched.line} left data where the host can reach it, and the host changed it."
    elif sent.line == fetched.line:
        message = f"Line {sent.line} reads from the device and {_SENDS[sent.kind]}."
    else:
        message = f"Line {sent.line} {_SENDS[sent.kind]} after line {fetched.line} {_FETCHED[fetched.kind]}."
    return (message if fetched.line else "Values went from the device to the host, and new ones back.",
            "What is computed in between is not done by a kernel.",
            "Keep the data on the device, and let kernels do the work.")


_SENDS = {"to device": "sends new data to the device", "library": "sends new data to the device",
          "shared": "gives new data to the device", "captured": "builds new data into a kernel",
          "argument": "gives new numbers to a kernel"}
_FETCHED = {"to host": "has read some", "visible": "has left some to the host"}


def replayed(array: str) -> tuple[str, str, str]:
    """An answer that was kept."""
    return (f"{array} holds the answer to an earlier call of the same size.",
            "The values are new in this call, so the answer is another one.",
            f"Compute {array} from the arrays of the call, each time.")


def tampered() -> tuple[str, str, str]:
    """Device memory changed by itself."""
    return ("Device memory changed without a kernel and without a copy.",
            "On a GPU the host cannot reach that memory.", "Change device arrays by kernels only.")


def over_budget(line: BudgetLine, words: str, idea: str, code: str = "") -> Diagnosis:
    """The numbers are right, the technique is not. `code` is the text of the line that costs most."""
    if line.name == "shared_arrays":
        message, detail = "The result is right, but the kernel has no shared array.", "The lesson here is to use one."
    elif line.name == "launches":
        message = f"Right, but with {count(int(line.figure), 'launch', 'launches')}; at most {line.limit:g} may be."
        detail = "Each launch is a pass over memory, and a wait."
    else:
        message, detail = _too_much(line, words), fit(*_with_code(_most_costly(line), code))
    return Diagnosis("over budget", message, detail, idea, line=line.line)


def _too_much(line: BudgetLine, words: str) -> str:
    figure, limit = two_numbers(float(line.figure), float(line.limit))
    if line.at_least:
        return f"Right, but only {figure} % of the lanes are at work; at least {limit} % should be."
    return fit(f"Right, but it takes {figure} {words}; at most {limit} may be.",
               f"{figure} {words}, and at most {limit} may be.")


def _with_code(text: str, code: str) -> tuple[str, ...]:
    """The sentence with the line's own text after its number, and without, where there is no room."""
    if not text or not code:
        return (text,)
    where, rest = text.split(" ", 2)[:2], text.split(" ", 2)[2]
    return f"{' '.join(where)}, {code}, {rest}", text


def _most_costly(line: BudgetLine) -> str:
    """Begins with the line: "Line 11 makes all of them."."""
    if line.line is None or line.line_share is None:
        return ""
    if line.at_least and line.line_figure is not None:
        return f"Line {line.line} idles most: {number(line.line_figure)} % of its lanes are at work."
    if line.line_figure is not None:
        each = "atomic" if line.name.endswith("_per_atomic") else "request"
        return f"Line {line.line} is the worst: {number(float(line.line_figure))} for each {each}."
    if line.line_share > 0.995:
        return f"Line {line.line} makes all of them."
    part = f"{number(line.figure * line.line_share)} of {number(line.figure)}"
    if line.line_share > 0.5:
        return f"Line {line.line} makes most of them: {part}."
    return f"Line {line.line} makes the most: {part}."

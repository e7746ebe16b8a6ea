"""Doctor: what this machine can do, each problem with its one cure, and what is being looked at meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.timer import Timer

from gpulab.tui import keymap
from gpulab.tui.messages import DoctorEnded, DoctorMoved
from gpulab.tui.screens.framed import Framed
from gpulab.views import doctor, figures
from gpulab.views.rows import row

if TYPE_CHECKING:
    from gpulab.doctor.model import Check, Examination

Examine = Callable[[Path, Callable[[tuple[str, ...]], object]], "Examination"]
"""(workspace, what is told of what is left) -> what was found."""

STATUS_SECONDS = 0.5


def examine(home: Path, waiting: Callable[[tuple[str, ...]], object]) -> Examination:
    """As `gpulab doctor` does. What imports a library or opens the driver runs in processes of its own."""
    from gpulab.doctor.examination import examine
    from gpulab.doctor.machine import Machine
    from gpulab.views.charset import as_given

    return examine(Machine(environ=dict(as_given())), home, waiting)


class DoctorScreen(Framed[None]):
    """Looks when it is opened and by `r`; leaving it lets what is being looked at end by itself."""

    KEYS = keymap.DOCTOR
    BINDINGS = keymap.bindings(keymap.DOCTOR)

    def __init__(self, home: Path, examine_machine: Examine | None = None) -> None:
        super().__init__()
        self.home, self._examine = home, examine_machine or examine
        self.found: Examination | None = None
        self.left: tuple[str, ...] = doctor.LOOKED_AT
        self.chosen = 0
        self._number = 0
        self._since = 0.0
        self._status: Timer | None = None

    @property
    def curable(self) -> list[Check]:
        """What has a cure, problems first."""
        if self.found is None:
            return []
        found = self.found
        return [check for check in (*found.of("problem"), *found.of("warning"), *found.of("absent")) if check.cure]

    def on_mount(self) -> None:
        super().on_mount()
        self.action_look()

    def draw(self, top: int | None) -> None:
        look, width = self.look, self.size.width
        self._draw_status()
        if self.found is None:
            self.view.show_page(doctor.waiting(self.left, width, look), top)
        else:
            curable = self.curable
            page, at = doctor.screen(self.found, curable[self.chosen] if curable else None, width, look)
            self.view.show_page(page, at if top is None else top)
        self.draw_keys()

    def _draw_status(self) -> None:
        look = self.look
        took = self.found.seconds if self.found is not None else time.monotonic() - self._since
        words = f"looked for {figures.seconds(took)}" if self.found is not None else f"looking  {figures.seconds(took)}"
        self.draw_title(row(("gpulab", look.strong), ("  doctor", look.muted)), row((words, look.muted)))

    def now(self) -> dict[str, str | None]:
        scroll: dict[str, str | None] = {"scroll": None} if self.view.overflow else {}
        if self.found is None:
            return {"close": "give up, back"}
        cures: dict[str, str | None] = {"choose": None} if len(self.curable) > 1 else {}
        copy: dict[str, str | None] = {"copy": None} if self.curable else {}
        return {"look": None, **cures, **copy, **scroll, "close": None}

    def action_look(self) -> None:
        """Look at everything; what an older look finds is not waited for."""
        self._number += 1
        number, self.found, self.left, self.chosen = self._number, None, doctor.LOOKED_AT, 0
        self._since = time.monotonic()

        def work() -> None:
            found = self._examine(self.home, lambda left: self.post_message(DoctorMoved(number, left)))
            self.post_message(DoctorEnded(number, found))

        # a daemon thread: leaving the app must not wait for a driver that hangs
        threading.Thread(target=work, name="gpulab-doctor", daemon=True).start()
        if self._status is None:
            self._status = self.set_interval(STATUS_SECONDS, self._draw_status)
        self.redraw(top=0)

    def on_doctor_moved(self, message: DoctorMoved) -> None:
        if message.number == self._number and self.found is None:
            self.left = message.left
            self.redraw()

    def on_doctor_ended(self, message: DoctorEnded) -> None:
        if message.number != self._number:
            return
        self.found = message.found
        if self._status is not None:
            self._status.stop()
            self._status = None
        self.redraw(top=None if self.found.of("problem") else 0)

    def action_choose(self, step: int) -> None:
        """Another thing that can be cured."""
        if self.curable:
            self.chosen = (self.chosen + step) % len(self.curable)
            self.redraw()

    def action_copy(self) -> None:
        """The cure to the clipboard."""
        curable = self.curable
        if curable:
            self.app.copy_to_clipboard(curable[self.chosen].cure)
            self.tell(f"Copied: {curable[self.chosen].cure}")

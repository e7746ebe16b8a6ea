"""The learner's own folder: their files, their progress, and word of every save.

    workspace = Workspace.open(home=None, catalog=catalog)   # chooses the folder, creates nothing yet
    workspace.root                     Path of the folder
    workspace.problems                 list[str]: plain sentences to show (read-only, corrupt file set aside, newer
                                       database, a disk that a stopped pod loses); may grow, so read it again
    workspace.volume                   Volume: file system, free bytes, writable, locks, survives a stopped machine
    workspace.file_for(puzzle)         Path, `<root>/<track>/<puzzle>.py`, whether it exists or not
    workspace.start(puzzle)            Path; copies the starter, never over existing work; counts as a touch
    workspace.reset(puzzle)            Path of the backup, or None where there was nothing to keep
    workspace.source(puzzle)           str of the learner's file, or None

    progress = workspace.progress      Progress; every method may be called from any thread
    progress.record(report)            Attempt; an `environment` report is returned but not kept
    progress.stars(puzzle)             Stars, each kept once earned
    progress.solved(puzzle)            bool: it passed once
    progress.standing(puzzle)          Standing: all of the below in one reading
    progress.standings()               dict[id, Standing] of every puzzle known, one query: for Home and `list`
    progress.last(puzzle)              Report | None, of the newest attempt
    progress.attempts(puzzle)          list[Attempt], oldest first
    progress.lately(limit=10)          list[Attempt] of all puzzles, newest first
    progress.hints_read(puzzle)        int
    progress.read_hint(puzzle)         int, how many are read now (one more than before, at most `of=` where given)
    progress.touch(puzzle)             the learner is at it: call on opening a puzzle and on every check, not per key
    progress.last_touched()            str | None, an id
    progress.next_puzzle(catalog)      Next(puzzle, why), which unpacks as a pair

    progress.everything()              Rows, for `gpulab.workspace.archive`

    gpulab.workspace.watch.watch(file, on_save, stop, since=None)
                                       calls `on_save(Save)` for every change of content, until `stop` is set; blocks
    gpulab.workspace.archive           export and import as JSON

Where `puzzle` stands, a `Puzzle` or an id does. Ids that a renamed puzzle had before (`Puzzle.aliases`) are
looked up too, for ids as well when the workspace was opened with a catalogue. Progress never raises because of the
disk: what cannot be written is kept in memory, written as soon as it can be, and said in `problems`. Only
`open`, `start`, `reset` and the archive raise `WorkspaceError`, whose text says what to do.
"""

from gpulab.workspace.errors import WorkspaceError
from gpulab.workspace.progress import Progress
from gpulab.workspace.records import Attempt, Next, Standing, Volume
from gpulab.workspace.workspace import Workspace

__all__ = ["Attempt", "Next", "Progress", "Standing", "Volume", "Workspace", "WorkspaceError"]

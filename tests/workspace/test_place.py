"""Which folder is chosen, and which is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gpulab.catalog.model import Catalog
from gpulab.workspace import Workspace, WorkspaceError, place, volume
from tests.workspace.volumes import small_volume


@pytest.fixture
def no_pod_volume(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(place, "POD_VOLUME", tmp_path / "no-such-volume")


def test_the_option_comes_before_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPULAB_HOME", str(tmp_path / "variable"))
    assert Workspace.open(tmp_path / "option").root == tmp_path / "option"
    assert Workspace.open().root == tmp_path / "variable"


def test_a_relative_or_tilde_path_becomes_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home_of_the_test: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Workspace.open(Path("here")).root == tmp_path / "here"
    assert Workspace.open(Path("~/there")).root == home_of_the_test / "there"


def test_the_one_used_last_comes_next(tmp_path: Path, catalog: Catalog, no_pod_volume: None) -> None:
    Workspace.open(tmp_path / "mine", catalog).start(catalog.puzzles[0])
    assert Workspace.open().root == tmp_path / "mine"


def test_a_folder_that_holds_nothing_yet_is_not_the_one_used_last(
    tmp_path: Path, no_pod_volume: None, home_of_the_test: Path
) -> None:
    Workspace.open(tmp_path / "typo")
    assert not (tmp_path / "typo").exists()
    assert Workspace.open().root == home_of_the_test / "gpulab-work"


def test_one_used_last_that_is_gone_is_said(tmp_path: Path, no_pod_volume: None, home_of_the_test: Path) -> None:
    place.remember(tmp_path / "gone")
    workspace = Workspace.open()
    assert workspace.root == home_of_the_test / "gpulab-work"
    assert any(f"The workspace used last, {tmp_path / 'gone'}, is not there any more." in problem
               for problem in workspace.problems)


def test_a_pods_volume_is_chosen_before_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home_of_the_test: Path
) -> None:
    monkeypatch.setattr(place, "POD_VOLUME", tmp_path / "workspace")
    (tmp_path / "workspace").mkdir()
    assert Workspace.open().root == home_of_the_test / "gpulab-work", "a plain folder is no volume"
    with small_volume(tmp_path / "workspace", 400):
        assert Workspace.open().root == tmp_path / "workspace/gpulab-work"


def test_a_checkout_on_the_pods_volume_sends_the_workspace_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home_of_the_test: Path
) -> None:
    monkeypatch.setattr(place, "POD_VOLUME", tmp_path / "workspace")
    with small_volume(tmp_path / "workspace", 400) as mount:
        (mount / "pyproject.toml").write_text('[project]\nname = "gpulab"\n')
        assert Workspace.open().root == home_of_the_test / "gpulab-work"


def test_a_folder_inside_a_checkout_is_refused_with_another_to_take(home_of_the_test: Path) -> None:
    checkout = Path(__file__).parents[2]
    with pytest.raises(WorkspaceError) as refusal:
        Workspace.open(checkout / "work")
    assert str(refusal.value).startswith(f"{checkout}/work is inside a checkout of gpulab")
    assert f"gpulab --home {home_of_the_test / 'gpulab-work'}" in str(refusal.value)


def test_a_link_into_a_checkout_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(Path(__file__).parents[2])
    with pytest.raises(WorkspaceError, match="inside a checkout"):
        Workspace.open(tmp_path / "link/work")


def test_another_project_around_it_is_no_checkout(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "my-kernels"\ndependencies = ["gpulab"]\n')
    assert Workspace.open(tmp_path / "work").root == tmp_path / "work"


def test_a_file_is_no_workspace(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WorkspaceError, match="is a file, not a folder"):
        Workspace.open(tmp_path / "file")


def test_a_state_folder_that_cannot_be_written_hinders_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalog: Catalog
) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert Workspace.open(tmp_path / "work", catalog).start(catalog.puzzles[0]).exists()
    assert place.used_last() is None


class TestVolume:
    def test_a_disk_in_memory_is_known_to_be_lost(self, tmp_path: Path, no_pod_volume: None) -> None:
        with small_volume(tmp_path / "volume", 64 * 1024) as root:
            workspace = Workspace.open(root / "work")
            assert workspace.volume.kind == "tmpfs"
            assert workspace.volume.mount == root
            assert workspace.volume.lost_when_stopped
            assert workspace.volume.free and 0 < workspace.volume.free <= 64 * 2**20
            sentence = "is lost when this machine is stopped. To keep it: "
            assert any(sentence in problem for problem in workspace.problems)

    @pytest.mark.parametrize(("mounts", "container", "lost"), [
        ("1 0 0:1 / / rw - overlay overlay rw", False, True),
        ("1 0 0:1 / / rw - ext4 /dev/sda rw", False, False),
        ("1 0 0:1 / / rw - ext4 /dev/sda rw", True, True),
        ("1 0 0:1 / / rw - overlay overlay rw\n2 1 0:2 / {root} rw shared:1 - fuse mfs#x rw", True, False),
        ("1 0 0:1 / / rw - ext4 /dev/sda rw\n2 1 0:2 / {root} rw - tmpfs tmpfs rw", False, True),
    ])
    def test_a_containers_own_disk_is_lost_and_a_mount_is_not(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mounts: str, container: bool, lost: bool
    ) -> None:
        table = tmp_path / "mountinfo"
        table.write_text(mounts.replace("{root}", str(tmp_path)))
        monkeypatch.setattr(volume, "MOUNTS", table)
        monkeypatch.setattr(volume, "_in_a_container", lambda: container)
        assert volume.volume_of(tmp_path / "work", locks=True).lost_when_stopped is lost

    def test_how_to_keep_it_is_a_command_that_works(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalog: Catalog
    ) -> None:
        """The sentence names `mv ... && gpulab --home ...`: after the `mv`, the work is at the new place."""
        monkeypatch.setattr(place, "POD_VOLUME", tmp_path / "pod")
        monkeypatch.setattr(os.path, "ismount", lambda path: path == tmp_path / "pod")
        monkeypatch.setattr(volume, "_is_lost", lambda mount, kind: mount != tmp_path / "pod")
        monkeypatch.setattr(volume, "_mount_of", lambda path: (
            (tmp_path / "pod", "ext4") if (tmp_path / "pod") in (path, *path.parents) else (Path("/"), "overlay")))
        (tmp_path / "pod").mkdir()
        workspace = Workspace.open(tmp_path / "my work", catalog)
        workspace.start(catalog.puzzles[0])
        sentence, = workspace.problems
        move = sentence.partition("To keep it: ")[2].partition(" && ")[0]
        assert os.system(move) == 0
        assert Workspace.open(tmp_path / "pod/gpulab-work", catalog).source(catalog.puzzles[0])


def test_a_path_with_odd_characters_works(tmp_path: Path, catalog: Catalog) -> None:
    odd = tmp_path / "a b?c#d%41é"
    Workspace.open(odd, catalog).start(catalog.puzzles[0])
    assert (odd / "progress.db").stat().st_size > 0
    assert Workspace.open(odd).progress.last_touched() == "threads/map"
    assert sorted(path.name for path in odd.iterdir()) == ["progress.db", "threads"]

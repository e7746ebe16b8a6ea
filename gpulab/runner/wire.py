"""Frames over a socket: a versioned header, a msgpack body, and raw bytes that nobody has to parse."""

from __future__ import annotations

import socket
import struct
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock

VERSION = 1
MOST = 8 << 30
"""No frame is longer, in bytes: whoever announces one is broken or lying."""

_HEADER = struct.Struct("<3sBIQ")
_MAGIC = b"gpl"
HEADER_SIZE = _HEADER.size


class Closed(Exception):
    """The other side is gone."""


class Garbled(Exception):
    """What came is no frame of this version."""


@dataclass(frozen=True)
class Frame:
    """One message. `payload` holds the memory of arrays, end to end."""

    body: bytes
    payload: memoryview = field(default_factory=lambda: memoryview(b""))


@dataclass
class Wire:
    """One end of a stream socket. Several threads may send; one receives."""

    socket: socket.socket
    _sending: Lock = field(default_factory=Lock)

    def send(self, body: bytes, *payload: memoryview | bytes) -> None:
        """Send one frame. Raises `Closed`."""
        header = frame_header(len(body), sum(len(part) for part in payload))
        try:
            with self._sending:
                self.socket.sendall(header + body)
                for part in payload:
                    self.socket.sendall(part)
        except OSError as error:
            raise Closed from error

    def receive(self) -> Frame:
        """Wait for one frame. Raises `Closed` and `Garbled`."""
        body, payload = parse_header(bytes(self.receive_exactly(HEADER_SIZE)))
        return Frame(bytes(self.receive_exactly(body)), self.receive_exactly(payload))

    def send_with_descriptors(self, body: bytes, descriptors: list[int]) -> None:
        """Send a frame that carries open files. Raises `Closed`."""
        message = frame_header(len(body), 0) + body
        try:
            with self._sending:
                sent = socket.send_fds(self.socket, [message], descriptors)
                self.socket.sendall(message[sent:])
        except OSError as error:
            raise Closed from error

    def receive_with_descriptors(self, most: int) -> tuple[Frame, list[int]]:
        """Wait for such a frame. Raises `Closed` and `Garbled`."""
        try:
            header, descriptors, _, _ = socket.recv_fds(self.socket, HEADER_SIZE, most)
        except OSError as error:
            raise Closed from error
        if not header:
            raise Closed
        header += bytes(self.receive_exactly(HEADER_SIZE - len(header)))
        body, payload = parse_header(header)
        return Frame(bytes(self.receive_exactly(body)), self.receive_exactly(payload)), descriptors

    def receive_exactly(self, size: int) -> memoryview:
        """Wait for `size` bytes. Raises `Closed`."""
        buffer = memoryview(bytearray(size))
        done = 0
        while done < size:
            try:
                count = self.socket.recv_into(buffer[done:])
            except OSError as error:
                raise Closed from error
            if not count:
                raise Closed
            done += count
        return buffer

    def shut(self) -> None:
        """Let nobody wait on this wire any more; what has arrived can still be received."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close this end."""
        self.socket.close()


def frame_header(body: int, payload: int) -> bytes:
    """The header of a frame with a body and a payload of so many bytes."""
    return _HEADER.pack(_MAGIC, VERSION, body, payload)


def parse_header(header: bytes) -> tuple[int, int]:
    """The sizes of body and payload in bytes. Raises `Garbled`."""
    magic, version, body, payload = _HEADER.unpack(header)
    if magic != _MAGIC or version != VERSION or body + payload > MOST:
        raise Garbled(f"not a frame of version {VERSION}: {header!r}")
    return body, payload

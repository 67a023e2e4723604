"""The server's side of WebSocket for the scenarios that attack or examine a client: it sends whatever bytes it is told to,
and checks strictly what the client sends. It shares no code with Talon or with talon-gateway."""

import base64
import hashlib
import socket
import struct

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
PATIENCE = 100


class Gone(Exception):
    """The client ended TCP."""


class Violation(Exception):
    """The client sent what no client may send."""


def frame(opcode, payload=b"", fin=True, rsv=0):
    head = bytes([fin << 7 | rsv << 4 | opcode])
    size = len(payload)
    if size < 126:
        return head + bytes([size]) + payload
    if size < 65536:
        return head + struct.pack(">BH", 126, size) + payload
    return head + struct.pack(">BQ", 127, size) + payload


def fragments(opcode, payload, size):
    """One message in frames of `size` bytes."""
    parts = [payload[at:at + size] for at in range(0, len(payload), size)] or [b""]
    return b"".join(
        frame(CONT if index else opcode, part, fin=index == len(parts) - 1) for index, part in enumerate(parts))


class Client:
    """The other end, after its upgrade was answered."""

    def __init__(self, link):
        self.link = link
        self.input = bytearray()
        self.message = None
        link.settimeout(PATIENCE)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while b"\r\n\r\n" not in self.input:
            self.fill()
        head, _, rest = bytes(self.input).partition(b"\r\n\r\n")
        self.input = bytearray(rest)
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
        fields = {name.lower(): value for name, value in fields.items()}
        if fields["upgrade"].lower() != "websocket" or fields["sec-websocket-version"] != "13":
            raise Violation("the upgrade asks for something else")
        digest = hashlib.sha1((fields["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        self.send(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n")

    def fill(self):
        try:
            more = self.link.recv(1 << 20)
        except ConnectionError:
            more = b""
        if not more:
            raise Gone
        self.input += more

    def send(self, data, chop=None):
        try:
            if chop is None:
                self.link.sendall(data)
                return
            for at in range(0, len(data), chop):
                self.link.sendall(data[at:at + chop])
        except ConnectionError:
            pass  # The reading side tells.

    def take(self, count):
        while len(self.input) < count:
            self.fill()
        data = bytes(self.input[:count])
        del self.input[:count]
        return data

    def next_frame(self):
        first, second = self.take(2)
        if first & 0x70 or not second & 0x80:
            raise Violation("a frame with reserved bits, or without a mask")
        size = second & 0x7F
        if size == 126:
            size, = struct.unpack(">H", self.take(2))
        elif size == 127:
            size, = struct.unpack(">Q", self.take(8))
        mask = self.take(4)
        payload = self.take(size)
        key = int.from_bytes(mask * (size // 4 + 1), "big") >> (8 * (4 - size % 4))
        plain = (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big") if size else b""
        return first >> 7, first & 15, plain

    def event(self):
        """The next whole message, pong, ping or close: (opcode, payload)."""
        while True:
            fin, opcode, payload = self.next_frame()
            if opcode >= 8:
                if not fin or len(payload) > 125:
                    raise Violation("a control frame in pieces, or too long")
                return opcode, payload
            if (opcode == CONT) == (self.message is None):
                raise Violation("a message within a message, or none to continue")
            if opcode != CONT:
                self.message = (opcode, bytearray())
            self.message[1].extend(payload)
            if fin:
                opcode, payload = self.message[0], bytes(self.message[1])
                self.message = None
                return opcode, payload


def closing(code, reason=b""):
    return struct.pack(">H", code) + reason

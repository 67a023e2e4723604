"""A WebSocket server that tests a client which echoes every message.

    conformance.py PROGRAM [ARGUMENT...]

The program is started once for each case, with the server's URL as its last argument. The cases are those of the public
Autobahn description of client cases, sections 1 to 7, 9 and 10, under their numbers; this is not that suite, and shares
no code with it or with Talon. Each case is OK, NON-STRICT (allowed, but later than it could be) or FAILED; the
exit code is 1 when one failed.
"""

import os
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../peers"))
from websocket_server import (  # noqa: E402
    BINARY, CLOSE, CONT, PATIENCE, PING, PONG, TEXT, Client, Gone, Violation, closing, fragments, frame)


def read_to_the_end(client):
    """What the client sends until its close frame or its end: events, and the close's payload or None."""
    events = []
    try:
        while True:
            opcode, payload = client.event()
            if opcode == CLOSE:
                return events, payload
            events.append((opcode, payload))
    except Gone:
        return events, None


# Cases: functions from a client to a verdict.

OK, NON_STRICT = "OK", "NON-STRICT"


def expects(sent, events, chop=None):
    """Everything is answered as listed, and our close is answered with its code."""
    def run(client):
        client.send(sent, chop)
        for wanted in events:
            got = client.event()
            if got != wanted:
                return "got opcode %d with %d bytes, wanted opcode %d with %d" % (
                    got[0], len(got[1]), wanted[0], len(wanted[1]))
        return close_normally(client)
    return run


def close_normally(client, code=closing(1000), after=b""):
    client.send(frame(CLOSE, code) + after)
    events, answer = read_to_the_end(client)
    if events:
        return "%d events too many" % len(events)
    if answer is None:
        return "the close frame was not answered"
    if answer[:2] not in (code[:2], b""):
        return "the close frame was answered with %r" % answer
    return OK


def fails(sent, code=1002, before=(), chop=None):
    """The client fails the connection with this code or without one; what came before may have been answered."""
    def run(client):
        client.send(sent, chop)
        return judge_failure(client, code, before)
    return run


def judge_failure(client, code, before=()):
    events, answer = read_to_the_end(client)
    if events != list(before)[:len(events)]:
        return "%d events that were not asked for" % len(events)
    if answer and struct.unpack(">H", answer[:2])[0] != code:
        return "failed with code %d, not %d" % (struct.unpack(">H", answer[:2])[0], code)
    return OK if len(events) == len(before) else NON_STRICT


def fails_fast(good, bad, rest, chop=None):
    """Invalid UTF-8 is noticed when it comes, not at the end of the message (6.4)."""
    def run(client):
        client.send(good, chop)
        client.send(bad, chop)
        client.link.settimeout(1)
        try:
            client.fill()
            early = True
        except (Gone, TimeoutError):
            early = False
        client.link.settimeout(PATIENCE)
        client.send(rest, chop)
        verdict = judge_failure(client, 1007)
        return verdict if early or verdict != OK else NON_STRICT
    return run


def closes(payload, after=b""):
    """Our close frame is answered with its code, and what follows it is not answered at all."""
    return lambda client: close_normally(client, payload, after)


def streams(opcode, size, count=1000):
    """One message after the other, each when the one before has come back (9.7, 9.8)."""
    def run(client):
        data = frame(opcode, b"*" * size)
        for _ in range(count):
            client.send(data)
            if client.event() != (opcode, b"*" * size):
                return "a message came back changed"
        return close_normally(client)
    return run


def slow_fragments(client):
    """Five fragments with pings between them and a pause (5.19)."""
    client.send(frame(TEXT, b"1", fin=False) + frame(CONT, b"2", fin=False) + frame(PING, b"first"))
    if client.event() != (PONG, b"first"):
        return "no pong between fragments"
    time.sleep(1)
    client.send(
        frame(CONT, b"3", fin=False) + frame(CONT, b"4", fin=False) + frame(PING, b"second") + frame(CONT, b"5"))
    if client.event() != (PONG, b"second") or client.event() != (TEXT, b"12345"):
        return "no second pong, or no message"
    return close_normally(client)


def invalid(data):
    return fails(frame(TEXT, data), 1007)


def valid(data):
    return expects(frame(TEXT, data), [(TEXT, data)])


def list_cases():
    hello, echo = frame(TEXT, b"Hello, world!"), (TEXT, b"Hello, world!")
    for section, opcode, byte in ((1, TEXT, b"*"), (2, BINARY, b"\xfe")):
        for number, size in enumerate((0, 125, 126, 127, 128, 65535, 65536, 65536), 1):
            data = byte * size
            yield "1.%d.%d" % (section, number), expects(
                frame(opcode, data), [(opcode, data)], 997 if number == 8 else None)

    ping, pong = frame(PING), (PONG, b"")
    yield "2.1", expects(ping, [pong])
    yield "2.2", expects(frame(PING, b"Hello, world!"), [(PONG, b"Hello, world!")])
    yield "2.3", expects(frame(PING, b"\0\xff\xfe\xfd\xfc\xfb\0\xff"), [(PONG, b"\0\xff\xfe\xfd\xfc\xfb\0\xff")])
    yield "2.4", expects(frame(PING, b"\xfe" * 125), [(PONG, b"\xfe" * 125)])
    yield "2.5", fails(frame(PING, b"\xfe" * 126))
    yield "2.6", expects(frame(PING, b"\xfe" * 125), [(PONG, b"\xfe" * 125)], 1)
    yield "2.7", expects(frame(PONG), [])
    yield "2.8", expects(frame(PONG, b"unsolicited"), [])
    yield "2.9", expects(frame(PONG, b"unsolicited") + frame(PING, b"ping"), [(PONG, b"ping")])
    # All of them, though RFC 6455 section 5.5.3 asks only for the last.
    pings = [b"payload-%d" % number for number in range(10)]
    for number, chop in (("2.10", None), ("2.11", 1)):
        yield number, expects(b"".join(frame(PING, data) for data in pings), [(PONG, data) for data in pings], chop)

    yield "3.1", fails(frame(TEXT, b"Hello, world!", rsv=1))
    for number, rsv, chop in (("3.2", 2, None), ("3.3", 3, 15), ("3.4", 4, 1)):
        yield number, fails(hello + frame(TEXT, b"Hello, world!", rsv=rsv) + ping, before=[echo], chop=chop)
    yield "3.5", fails(frame(BINARY, b"\0\xff\xfe\xfd\xfc\xfb\0\xff", rsv=5))
    yield "3.6", fails(frame(PING, b"Hello, world!", rsv=6))
    yield "3.7", fails(frame(CLOSE, closing(1000), rsv=7))

    for section, first in ((1, 3), (2, 11)):
        yield "4.%d.1" % section, fails(frame(first))
        yield "4.%d.2" % section, fails(frame(first + 1, b"reserved"))
        yield "4.%d.3" % section, fails(hello + frame(first + 2) + ping, before=[echo])
        yield "4.%d.4" % section, fails(hello + frame(first + 3, b"reserved") + ping, before=[echo])
        yield "4.%d.5" % section, fails(hello + frame(first + 4, b"reserved") + ping, before=[echo], chop=1)

    begin, end = frame(TEXT, b"fragment1", fin=False), frame(CONT, b"fragment2")
    whole = (TEXT, b"fragment1fragment2")
    yield "5.1", fails(frame(PING, b"fragment1", fin=False) + frame(CONT, b"fragment2"))
    yield "5.2", fails(frame(PONG, b"fragment1", fin=False) + frame(CONT, b"fragment2"))
    for number, chop in (("5.3", None), ("5.4", 11), ("5.5", 1)):
        yield number, expects(begin + end, [whole], chop)
    for number, chop in (("5.6", None), ("5.7", 11), ("5.8", 1)):
        yield number, expects(begin + frame(PING, b"ping") + end, [(PONG, b"ping"), whole], chop)
    for number, fin, chop in (
            ("5.9", True, None), ("5.10", True, 24), ("5.11", True, 1),
            ("5.12", False, None), ("5.13", False, 24), ("5.14", False, 1)):
        yield number, fails(frame(CONT, b"non-continuation payload", fin=fin) + hello, chop=chop)
    yield "5.15", fails(begin + end + frame(CONT, b"fragment3", fin=False) + frame(TEXT, b"fragment4"), before=[whole])
    for number, fin in (("5.16", False), ("5.17", True)):
        yield number, fails((frame(CONT, b"fragment1", fin=fin) + begin + end) * 2)
    yield "5.18", fails(begin + frame(TEXT, b"fragment2"))
    yield "5.19", slow_fragments
    yield "5.20", expects(
        frame(TEXT, b"1", fin=False) + frame(CONT, b"2", fin=False) + frame(PING, b"first")
        + frame(CONT, b"3", fin=False) + frame(CONT, b"4", fin=False) + frame(PING, b"second") + frame(CONT, b"5"),
        [(PONG, b"first"), (PONG, b"second"), (TEXT, b"12345")])

    yield from list_utf8_cases()

    yield "7.1.1", expects(hello, [echo])
    yield "7.1.2", closes(closing(1000), frame(CLOSE, closing(1000)))
    yield "7.1.3", closes(closing(1000), frame(PING, b"after close"))
    yield "7.1.4", closes(closing(1000), hello)
    yield "7.1.5", lambda client: client.send(begin) or close_normally(client, closing(1000), end)
    big = b"*" * 262144
    yield "7.1.6", expects(frame(TEXT, big) + hello, [(TEXT, big), echo])
    yield "7.3.1", closes(b"")
    yield "7.3.2", fails(frame(CLOSE, b"a"))
    yield "7.3.3", closes(closing(1000))
    yield "7.3.4", closes(closing(1000, b"Hello, world!"))
    yield "7.3.5", closes(closing(1000, b"*" * 123))
    yield "7.3.6", fails(frame(CLOSE, closing(1000, b"*" * 124)))
    yield "7.5.1", fails(frame(CLOSE, closing(1000, "κόσμε".encode() + b"\xed\xa0\x80edited")), 1007)
    codes = (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999)
    for number, code in enumerate(codes, 1):
        yield "7.7.%d" % number, closes(closing(code))
    for number, code in enumerate((0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999), 1):
        yield "7.9.%d" % number, fails(frame(CLOSE, closing(code)))
    # Informational in the description; RFC 6455 section 7.4.2 leaves codes from 5000 on undefined.
    for number, code in enumerate((5000, 65535), 1):
        yield "7.13.%d" % number, fails(frame(CLOSE, closing(code)))

    for section, opcode in ((1, TEXT), (2, BINARY)):
        for number, kilobytes in enumerate((64, 256, 1024, 4096, 8192, 16384), 1):
            yield "9.%d.%d" % (section, number), big_message(opcode, kilobytes << 10)
    for section, opcode in ((3, TEXT), (4, BINARY)):
        for number in range(1, 10):
            yield "9.%d.%d" % (section, number), big_message(opcode, 4 << 20, fragment=64 << 2 * (number - 1))
    for section, opcode in ((5, TEXT), (6, BINARY)):
        for number in range(1, 7):
            yield "9.%d.%d" % (section, number), big_message(opcode, 1 << 20, chop=64 << (number - 1))
    for section, opcode in ((7, TEXT), (8, BINARY)):
        for number, size in enumerate((0, 16, 64, 256, 1024, 4096), 1):
            yield "9.%d.%d" % (section, number), streams(opcode, size)
    yield "10.1.1", big_message(TEXT, 65536, fragment=1300)


def big_message(opcode, size, fragment=None, chop=None):
    def run(client):
        data = b"*" * size
        sent = frame(opcode, data) if fragment is None else fragments(opcode, data, fragment)
        return expects(sent, [(opcode, data)], chop)(client)
    return run


def list_utf8_cases():
    yield "6.1.1", valid(b"")
    yield "6.1.2", expects(frame(TEXT, fin=False) + frame(CONT, fin=False) + frame(CONT), [(TEXT, b"")])
    yield "6.1.3", expects(
        frame(TEXT, fin=False) + frame(CONT, b"middle", fin=False) + frame(CONT), [(TEXT, b"middle")])
    mixed, greek = "Hello-µ@ßöäüàá-UTF-8!!".encode(), "κόσμε".encode()
    yield "6.2.1", valid(mixed)
    yield "6.2.2", expects(frame(TEXT, mixed[:12], fin=False) + frame(CONT, mixed[12:]), [(TEXT, mixed)])
    yield "6.2.3", expects(fragments(TEXT, mixed, 1), [(TEXT, mixed)])
    yield "6.2.4", expects(fragments(TEXT, greek, 1), [(TEXT, greek)])
    broken = greek + b"\xed\xa0\x80edited"
    yield "6.3.1", invalid(broken)
    yield "6.3.2", fails(fragments(TEXT, broken, 1), 1007)
    for number, bad in ((1, b"\xf4\x90\x80\x80"), (2, b"\xf4\x90")):
        yield "6.4.%d" % number, fails_fast(
            frame(TEXT, greek, fin=False), frame(CONT, bad, fin=False), frame(CONT, b"edited"))
    for number, bad in ((3, b"\xf4\x90\x80\x80"), (4, b"\xf4\x90")):
        head = frame(TEXT, greek + bad + b"\x80\x80edited")
        cut = len(head) - len(bad) - 8
        yield "6.4.%d" % number, fails_fast(head[:cut], head[cut:cut + len(bad)], head[cut + len(bad):])

    groups = {
        5: ["cebae1bdb9cf83cebcceb5"],
        6: [greek[:count].hex() for count in range(1, len(greek) + 1)],
        7: ["00", "c280", "e0a080", "f0908080"],
        8: ["f888808080", "fc8480808080"],
        9: ["7f", "dfbf", "efbfbf", "f48fbfbf"],
        10: ["f7bfbfbf", "fbbfbfbfbf", "fdbfbfbfbfbf"],
        11: ["ed9fbf", "ee8080", "efbfbd", "f48fbfbf", "f4908080"],
        12: ["80", "bf"] + ["80bf" * (count // 2) + "80" * (count % 2) for count in range(2, 8)]
        + ["".join("%02x" % byte for byte in range(0x80, 0xC0))],
        13: ["".join("%02x20" % byte for byte in span) for span in (
            range(0xC0, 0xE0), range(0xE0, 0xF0), range(0xF0, 0xF8), range(0xF8, 0xFC), range(0xFC, 0xFE))],
        14: ["c0", "e080", "f08080", "f8808080", "fc80808080", "df", "efbf", "f7bfbf", "fbbfbfbf", "fdbfbfbfbf"],
        15: ["c0e080f08080f8808080fc80808080dfefbff7bfbffbbfbfbffdbfbfbfbf"],
        16: ["fe", "ff", "fefeffff"],
        17: ["c0af", "e080af", "f08080af", "f8808080af", "fc80808080af"],
        18: ["c1bf", "e09fbf", "f08fbfbf", "f887bfbfbf", "fc83bfbfbfbf"],
        19: ["c080", "e08080", "f0808080", "f880808080", "fc8080808080"],
        20: ["eda080", "edadbf", "edae80", "edafbf", "edb080", "edbe80", "edbfbf"],
        21: [high + low for high in ("eda080", "edadbf", "edae80", "edafbf") for low in ("edb080", "edbfbf")],
        22: [chr(plane << 16 | 0xFFFE | last).encode().hex() for plane in range(17) for last in (0, 1)],
        23: ["efbfb9", "efbfba", "efbfbb", "efbfbc", "efbfbd", "efbfbe", "efbfbf"],
    }
    for section, texts in groups.items():
        for number, text in enumerate(texts, 1):
            data = bytes.fromhex(text)
            try:
                data.decode()
                case = valid(data)
            except UnicodeDecodeError:
                case = invalid(data)
            yield "6.%d.%d" % (section, number), case


def run_case(listener, program, case):
    process = subprocess.Popen(program + ["ws://127.0.0.1:%d/" % listener.getsockname()[1]], stderr=subprocess.PIPE)
    try:
        link, _ = listener.accept()
        with link:
            try:
                verdict = case(Client(link))
            except Gone:
                verdict = "the client ended the connection"
            except Violation as problem:
                verdict = str(problem)
            except TimeoutError:
                verdict = "nothing happened for %d s" % PATIENCE
        code = process.wait(10)
        if code != 0 and verdict in (OK, NON_STRICT):
            verdict = "the program ended with %d: %s" % (code, process.stderr.read().decode())
        return verdict
    except (TimeoutError, subprocess.TimeoutExpired):
        return "the program did not connect, or did not end"
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(10)
    counts = {}
    for name, case in list_cases():
        started = time.monotonic()
        verdict = run_case(listener, sys.argv[1:], case)
        kind = verdict if verdict in (OK, NON_STRICT) else "FAILED"
        counts[kind] = counts.get(kind, 0) + 1
        if kind != OK:
            print("%-8s %s: %s" % (name, kind, verdict))
        elif time.monotonic() - started > 5:
            print("%-8s took %.1f s" % (name, time.monotonic() - started))
    print(", ".join("%d %s" % (count, kind) for kind, count in sorted(counts.items())))
    sys.exit(1 if "FAILED" in counts else 0)


main()

"""Power cuts at many moments of one run of a machine, looked at on this host.

replay.py CARD WRITES FIRST LAST SYSTEMS TIMES SEED

CARD is the card as it was when the machine started, and WRITES what the machine wrote to it since, as qemu's driver blklogwrites keeps it
(images/lib/machine.sh). TIMES cuts are between the bytes FIRST and LAST of WRITES: before and after every write to the records of the slots, and
otherwise anywhere between two flushes, of which one is as likely as the other. SYSTEMS has a line for each system that a slot may hold:
its name, and for its kernel and its system the bytes and their SHA-256.

At a cut the card has what was written before the last flush, and of what was written since any part: a card may put its writes in any
order. Then one copy of the record of the slots must be whole, the slot that U-Boot would start must hold one of the systems to the last
byte, the data partition must need no more than its journal, and the files of the board's identity and trust must be those of CARD.
CARD is changed. Prints what it has seen; the exit code is 1 at the first cut that does harm.
"""

import hashlib
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

MIB = 1 << 20
# Linux, drivers/md/dm-log-writes.c: the form of the log.
MAGIC, VERSION, FLUSH, FUA, DISCARD = 0x6A736677736872, 1, 1, 2, 4
# images/lib/disk.sh
SLOTS = {"a": (72 * MIB, 140 * MIB), "b": (336 * MIB, 404 * MIB)}
RECORDS, RECORDS_END, DATA = (1 * MIB, 2 * MIB), 4 * MIB, 596 * MIB
FOLDER = "/lib/talon"

card_path, log_path, first, last, systems_path, times, seed = sys.argv[1:]
first, last, times = int(first), int(last), int(times)
choice = random.Random(int(seed))
card = open(card_path, "r+b")


def entries(path):
    """(flags, offset on the card, bytes, place in the log) of each write, and of each flush."""
    with open(path, "rb") as log:
        magic, version, _, sector = struct.unpack("<QQQI", log.read(28))
        assert (magic, version) == (MAGIC, VERSION), "no log of writes"
        log.seek(sector)
        while len(head := log.read(sector)) == sector:
            start, count, flags, _ = struct.unpack("<QQQQ", head[:32])
            data = b"" if flags & DISCARD else log.read(count * sector)
            if not flags & DISCARD and len(data) < count * sector:
                return
            yield flags, start * sector, data, log.tell()


def choose():
    """The numbers of the entries before which the power is cut, in order, and of the first that counts."""
    chosen, intervals, begin = [], [[]], None
    for number, (flags, offset, data, place) in enumerate(entries(log_path)):
        if place <= first:
            continue
        if place > last:
            break
        begin = number if begin is None else begin
        if flags & FLUSH:
            intervals.append([])
        intervals[-1].append(number)
        if data and offset < RECORDS_END and offset + len(data) > RECORDS[0]:
            chosen += [number, number + 1]
    intervals = [interval for interval in intervals if interval]
    if not intervals:
        sys.exit("nothing was written between these two places")
    chosen = chosen[:times]
    chosen += [choice.choice(choice.choice(intervals)) for _ in range(times - len(chosen))]
    return begin, sorted(chosen)


def read(offset, count):
    card.seek(offset)
    return card.read(count)


def write(offset, data):
    card.seek(offset)
    card.write(data)


def settle():
    """What was written before a flush is on the card."""
    for at, piece, _ in pending:
        write(at, piece)
    pending.clear()


def record():
    """The newer whole copy, as images/slot/boot.cmd reads it."""
    newest = None
    for place in RECORDS:
        block = read(place, 512)
        if struct.unpack("<I", block[:4])[0] != zlib.crc32(block[4:]):
            continue
        words = dict(line.split("=", 1) for line in block[4:].decode("ascii").split("\0") if "=" in line)
        if newest is None or int(words["seq"], 16) > int(newest["seq"], 16):
            newest = words
    return newest


def slot_to_start(words):
    is_tried = words["trial"] != "none" and int(words["left"], 16) > 0
    return words["trial"] if is_tried else words["primary"]


def system_of(slot):
    """The name of the system that the slot holds to the last byte."""
    for name, kernel_bytes, kernel, system_bytes, system in systems:
        parts = ((SLOTS[slot][0], kernel_bytes, kernel), (SLOTS[slot][1], system_bytes, system))
        if all(hashlib.sha256(read(place, int(count))).hexdigest() == digest for place, count, digest in parts):
            return name
    return None


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def gateway_trust(name, record):
    """Of the record of a gateway (Sources/Runtime/Files/RecordStore.swift) its certificate and the board's tokens."""
    length, checksum = struct.unpack("<II", record[4:12])
    text = record[12:12 + length]
    if record[:4] != b"TLN1" or len(text) != length:
        fail(f"{name} is no record")
    if zlib.crc32(text) != checksum:
        fail(f"{name} is damaged")
    values = json.loads(text)
    return {key: values.get(key) for key in ("pin", "keyPin", "tokens")}


def trust(work):
    """The files of identity and trust, by name; fails when the data partition needs more than its journal."""
    copy = os.path.join(work, "data")
    card.flush()
    subprocess.run(["dd", f"if={card_path}", f"of={copy}", "bs=1M", f"skip={DATA // MIB}", "conv=sparse", "status=none"], check=True)
    repaired = run("e2fsck", "-p", copy)
    checked = run("e2fsck", "-f", "-n", copy)
    if repaired.returncode > 1 or checked.returncode:
        fail(f"the data partition is damaged: {repaired.stdout}{checked.stdout}")
    listed = run("debugfs", "-R", f"ls -p {FOLDER}", copy).stdout
    names = sorted(line.split("/")[5] for line in listed.splitlines() if line.count("/") >= 6)
    found = {}
    for name in names:
        if name == "identity" or (name.startswith("gateway-") and "." not in name):
            content = subprocess.run(["debugfs", "-R", f"cat {FOLDER}/{name}", copy], capture_output=True).stdout
            found[name] = content if name == "identity" else gateway_trust(name, content)
    os.remove(copy)
    return found


def fail(text):
    sys.exit(f"cut {cuts} (seed {seed}): {text}")


def look(work):
    words = record()
    if words is None:
        fail("no copy of the record is whole")
    slot = slot_to_start(words)
    name = system_of(slot)
    if name is None:
        fail(f"slot {slot} would be started, and holds no whole system ({words})")
    found = trust(work)
    other = [name for name in sorted(before | found) if before.get(name) != found.get(name)]
    if other:
        fail(f"not what it was: {', '.join(other)}")
    return f"{name} in slot {slot}" + (" on trial" if words["trial"] == slot else "")


with open(systems_path) as file:
    systems = [line.split() for line in file]
begin, moments = choose()
work = tempfile.mkdtemp(prefix="replay")
seen, before, pending, cuts = {}, None, [], 0
try:
    for number, (flags, offset, data, _) in enumerate(entries(log_path)):
        if number == begin:
            settle()
            before = trust(work)
            if len(before) < 2:
                fail(f"the card has no identity and trust to lose: {sorted(before)}")
        while cuts < times and moments[cuts] == number:
            cuts += 1
            undo = []
            for at, piece, is_kept in pending:
                if is_kept or choice.random() < 0.5:
                    undo.append((at, read(at, len(piece))))
                    write(at, piece)
            state = look(work)
            seen[state] = seen.get(state, 0) + 1
            for at, piece in reversed(undo):
                write(at, piece)
        if cuts == times:
            break
        if flags & FLUSH:
            settle()
        if data:
            pending.append((offset, data, bool(flags & FUA)))
finally:
    shutil.rmtree(work)
    card.close()
if cuts < times:
    sys.exit(f"the log ends before cut {cuts + 1} of {times}")
for state, count in sorted(seen.items()):
    print(f"{count:4d} cuts after which the board starts {state}")

#!/usr/bin/env python3
"""Writes tests/vectors/packet_format.txt from docs/packet_format.md alone: it calls none of our C++.

Each line is `name hex`. Run it from the root of the repository: tools/make_packet_vectors.py
"""

import pathlib
import struct
import zlib

VERSION = 1
DATA, STATUS, ACK, PROBE = 1, 2, 3, 4


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def packet(kind, body):
    content = bytes([VERSION << 6 | kind]) + body
    return varint(len(content)) + content


def stream(tag, message):
    return struct.pack("<III", tag, len(message), zlib.crc32(message)) + message


def data(destinations, message_id, offset, piece):
    return packet(DATA, bytes([destinations]) + varint(message_id) + varint(offset) + piece)


def status(oldest, blocks_used):
    return packet(STATUS, varint(oldest) + struct.pack("<H", blocks_used))


def ack(peer, epoch, floor, settled=None, mode=0, snr=(0, 0, 0), cell=0, period=0, frames=(),
        done=b"", first=True, last=True, partials=()):
    flags = peer | first << 5 | (settled is not None) << 6 | last << 7
    body = struct.pack("<BH", flags, epoch)
    if settled is not None:
        body += struct.pack("<H", settled)
    body += bytes([mode, *snr, cell, period, len(frames)])
    for blocks_ok, purity in frames:
        body += varint(8 * blocks_ok + purity)
    body += varint(floor) + bytes([len(done)]) + done
    for message_id, start, complete, runs in partials:
        body += varint(message_id - floor) + varint(start) + varint(2 * len(runs) + complete)
        for gap, length in runs:
            body += varint(gap) + varint(length)
    return packet(ACK, body)


def feedback(found, success, calibrated):
    word = found | calibrated << 24
    for rank, value in enumerate(success):
        word |= value << 8 + 2 * rank
    return struct.pack("<I", word)


def vectors():
    hello = stream(7, b"hello")
    long_piece = bytes(i * 7 & 0xFF for i in range(200))
    full_ack = ack(peer=2, epoch=0xBEEF, floor=1000, settled=0xFFFE, mode=9, snr=(57, 255, 0), cell=29,
                   period=50, frames=((395, 7), (0, 0), (12, 1)), done=bytes([0x02, 0x80]), last=False,
                   partials=((1000, 0, True, ((0, 4096), (117, 300))), (1003, 70000, False, ((90, 1),))))
    yield "stream_hello", hello
    yield "stream_empty", stream(0xFFFFFFFF, b"")
    yield "data_hello", data(0x02, 5, 0, hello)
    yield "data_long", data(0x81, 300, 1_000_000, long_piece)
    yield "status_first", status(0, 1)
    yield "status_late", status(100_000, 395)
    yield "ack_silent", ack(peer=1, epoch=1, floor=0)
    yield "ack_full", full_ack
    yield "probe", packet(PROBE, b"")
    yield "block", (status(0, 2) + ack(peer=1, epoch=1, floor=0) + data(0x02, 5, 0, hello)).ljust(117, b"\0")
    yield "feedback", feedback(0b1011, (3, 0, 2, 1, 0, 0, 0, 3), True)


def main():
    path = pathlib.Path(__file__).parent.parent / "tests" / "vectors" / "packet_format.txt"
    path.write_text("".join(f"{name} {value.hex()}\n" for name, value in vectors()))


if __name__ == "__main__":
    main()

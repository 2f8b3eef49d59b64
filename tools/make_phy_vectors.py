#!/usr/bin/env python3
"""Writes tests/vectors/phy_code.txt: golden vectors of the coding half of src/phy.

An implementation of docs/frame_format.md of its own, slow and plain, in the standard library only; it
calls none of our C++. LDPC parity comes from Gaussian elimination on the whole matrix, not from its
dual diagonal, so that the two encoders share nothing but the standard's table.

    tools/make_phy_vectors.py tests/vectors/phy_code.txt
"""

import sys

# IEEE Std 802.11n-2009, Table R.3: n = 1944, Z = 81; '-' is an empty block.
BASE = {
    "1/2": """57 - - - 50 - 11 - 50 - 79 - 1 0 - - - - - - - - - -
               3 - 28 - 0 - - - 55 7 - - - 0 0 - - - - - - - - -
               30 - - - 24 37 - - 56 14 - - - - 0 0 - - - - - - - -
               62 53 - - 53 - - 3 35 - - - - - - 0 0 - - - - - - -
               40 - - 20 66 - - 22 28 - - - - - - - 0 0 - - - - - -
               0 - - - 8 - 42 - 50 - - 8 - - - - - 0 0 - - - - -
               69 79 79 - - - 56 - 52 - - - 0 - - - - - 0 0 - - - -
               65 - - - 38 57 - - 72 - 27 - - - - - - - - 0 0 - - -
               64 - - - 14 52 - - 30 - - 32 - - - - - - - - 0 0 - -
               - 45 - 70 0 - - - 77 9 - - - - - - - - - - - 0 0 -
               2 56 - 57 35 - - - - - 12 - - - - - - - - - - - 0 0
               24 - 61 - 60 - - 27 51 - - 16 1 - - - - - - - - - - 0""",
    "2/3": """61 75 4 63 56 - - - - - - 8 - 2 17 25 1 0 - - - - - -
               56 74 77 20 - - - 64 24 4 67 - 7 - - - - 0 0 - - - - -
               28 21 68 10 7 14 65 - - - 23 - - - 75 - - - 0 0 - - - -
               48 38 43 78 76 - - - - 5 36 - 15 72 - - - - - 0 0 - - -
               40 2 53 25 - 52 62 - 20 - - 44 - - - - 0 - - - 0 0 - -
               69 23 64 10 22 - 21 - - - - - 68 23 29 - - - - - - 0 0 -
               12 0 68 20 55 61 - 40 - - - 52 - - - 44 - - - - - - 0 0
               58 8 34 64 78 - - 11 78 24 - - - - - 58 1 - - - - - - 0""",
    "3/4": """48 29 28 39 9 61 - - - 63 45 80 - - - 37 32 22 1 0 - - - -
               4 49 42 48 11 30 - - - 49 17 41 37 15 - 54 - - - 0 0 - - -
               35 76 78 51 37 35 21 - 17 64 - - - 59 7 - - 32 - - 0 0 - -
               9 65 44 9 54 56 73 34 42 - - - 35 - - - 46 39 0 - - 0 0 -
               3 62 7 80 68 26 - 80 55 - 36 - 26 - 9 - 72 - - - - - 0 0
               26 75 33 21 69 59 3 38 - - - 35 - 62 36 26 - - 1 - - - - 0""",
    "5/6": """13 48 80 66 4 74 7 30 76 52 37 60 - 49 73 31 74 73 23 - 1 0 - -
               69 63 74 56 64 77 57 65 6 16 51 - 64 - 68 9 48 62 54 27 - 0 0 -
               51 15 0 80 24 25 42 54 44 71 71 9 67 35 - 58 - 29 - 53 0 - 0 0
               16 29 36 41 44 56 59 37 50 24 - 65 4 65 52 - 4 - 73 52 1 - - 0""",
}
LIFT = 81
CODED_BITS = 24 * LIFT


def bits_of(value, n_bits):
    return [(value >> i) & 1 for i in reversed(range(n_bits))]


def bits_of_bytes(data):
    return [bit for byte in data for bit in bits_of(byte, 8)]


def hex_of_bits(bits):
    """Highest bit first; an incomplete last byte is filled with zeros."""
    padded = bits + [0] * (-len(bits) % 8)
    return bytes(int("".join(map(str, padded[i : i + 8])), 2) for i in range(0, len(padded), 8)).hex()


def crc16(bits):
    """CRC-16/CCITT-FALSE by polynomial long division."""
    remainder = 0xFFFF
    for bit in bits:
        top = remainder >> 15
        remainder = (remainder << 1) & 0xFFFF
        if top != bit:
            remainder ^= 0x1021
    return remainder


def crc32(data, initial=0xFFFFFFFF):
    remainder = initial
    for byte in data:
        for i in range(8):
            low = (remainder ^ (byte >> i)) & 1
            remainder = (remainder >> 1) ^ (0xEDB88320 if low else 0)
    return remainder ^ 0xFFFFFFFF


def convolve(bits):
    """K = 7; taps 133 and 171 octal, written out as delays of the input."""
    coded = []
    delayed = [0] * 7
    for bit in bits + [0] * 6:
        delayed = [bit] + delayed[:6]
        coded.append(delayed[0] ^ delayed[2] ^ delayed[3] ^ delayed[5] ^ delayed[6])
        coded.append(delayed[0] ^ delayed[1] ^ delayed[2] ^ delayed[3] ^ delayed[6])
    return coded


def header_bits(h):
    fields = (bits_of(1, 4) + bits_of(h["node"], 4) + bits_of(h["epoch"], 16) + bits_of(h["sequence"], 16)
              + bits_of(h["width_px"], 12) + bits_of(h["height_px"], 12) + bits_of(h["mode"], 8)
              + bits_of(h["transmit_time_ms"], 16) + bits_of(h["feedback"], 32) + bits_of(0, 4))
    return convolve(fields + bits_of(crc16(fields), 16))


def parity_rows(rate):
    """The parity-check matrix, a row an integer: bit j of it is column j."""
    rows = []
    for line in BASE[rate].splitlines():
        shifts = line.split()
        assert len(shifts) == 24
        for check in range(LIFT):
            row = 0
            for column, shift in enumerate(shifts):
                if shift != "-":
                    row |= 1 << (column * LIFT + (check + int(shift)) % LIFT)
            rows.append(row)
    return rows


def ldpc_encode(info, rate):
    rows = parity_rows(rate)
    n_info = CODED_BITS - len(rows)
    assert len(info) == n_info
    word = sum(bit << i for i, bit in enumerate(info))
    info_mask = (1 << n_info) - 1
    # Each row becomes: its parity columns, and behind them the sum of its info bits as the right side.
    system = [((row >> n_info) << 1) | (bin(row & info_mask & word).count("1") & 1) for row in rows]
    for column in range(len(rows)):
        pivot = next(i for i in range(column, len(system)) if system[i] >> (column + 1) & 1)
        system[column], system[pivot] = system[pivot], system[column]
        for i, row in enumerate(system):
            if i != column and row >> (column + 1) & 1:
                system[i] ^= system[column]
    codeword = info + [row & 1 for row in system]
    packed = sum(bit << i for i, bit in enumerate(codeword))
    assert all(bin(row & packed).count("1") % 2 == 0 for row in rows)
    return codeword


def n_info_bits(rate):
    return CODED_BITS - len(parity_rows(rate))


def payload_bytes(rate):
    return n_info_bits(rate) // 8 - 4


def block_bits(payload, rate, crc_initial=0xFFFFFFFF):
    bits = bits_of_bytes(payload + crc32(payload, crc_initial).to_bytes(4, "little"))
    return ldpc_encode(bits + [0] * (n_info_bits(rate) - len(bits)), rate)


def splitmix64(index):
    mask = (1 << 64) - 1
    word = ((index + 1) * 0x9E3779B97F4A7C15) & mask
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & mask
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & mask
    return word ^ (word >> 31)


def keystream(node, sequence, channel, n):
    first = sequence << 48 | node << 40 | channel << 32
    return [splitmix64(first + place // 64) >> (place % 64) & 1 for place in range(n)]


def interleaved(n_blocks):
    """The coded bit (block, bit) at each place."""
    places = []
    for group in range(CODED_BITS):
        bit = group * 1201 % CODED_BITS
        rotation = splitmix64(group) % n_blocks
        places += [((i - rotation) % n_blocks, bit) for i in range(n_blocks)]
    return places


def filler_bits(rate):
    """Its payload is the keystream of a channel that no frame has."""
    bits = keystream(0, 0, 255, 8 * payload_bytes(rate))
    payload = bytes(int("".join(map(str, bits[i : i + 8])), 2) for i in range(0, len(bits), 8))
    return block_bits(payload, rate, crc_initial=0)


def example_payload(rate):
    """Fixed bytes that look like nothing."""
    return bytes((i * i * 7 + i * 31 + 5) & 0xFF for i in range(payload_bytes(rate)))


HEADERS = {
    "plain": dict(node=0, epoch=0, sequence=0, width_px=1920, height_px=1200, mode=0, transmit_time_ms=0,
                  feedback=0),
    "full": dict(node=7, epoch=0xBEEF, sequence=0x1234, width_px=1366, height_px=768, mode=12,
                 transmit_time_ms=0xFEDC, feedback=0x89ABCDEF),
}


def main():
    assert crc16(bits_of_bytes(b"123456789")) == 0x29B1
    assert crc32(b"123456789") == 0xCBF43926
    lines = ["# Made by tools/make_phy_vectors.py. Bits as hex, the highest bit of a byte first."]
    for name, header in HEADERS.items():
        lines.append(f"header.{name} {hex_of_bits(header_bits(header))}")
    for rate in BASE:
        payload = example_payload(rate)
        lines.append(f"payload.{rate} {payload.hex()}")
        lines.append(f"block.{rate} {hex_of_bits(block_bits(payload, rate))}")
        lines.append(f"filler.{rate} {hex_of_bits(filler_bits(rate))}")
    for node, sequence, channel in [(0, 0, 0), (3, 0xABCD, 2)]:
        lines.append(f"keystream.{node}.{sequence}.{channel} {hex_of_bits(keystream(node, sequence, channel, 256))}")
    for n_blocks in (1, 2, 7):
        places = interleaved(n_blocks)
        assert len(set(places)) == CODED_BITS * n_blocks
        sample = "".join(f"{block:02x}{bit:04x}" for block, bit in places[:: 61 * n_blocks + 1])
        lines.append(f"interleaver.{n_blocks} {sample}")
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes tests/vectors/phy_code.txt: golden vectors of the coding half of src/phy.

An implementation of docs/frame_format.md of its own, slow and plain, in the standard library only; it
calls none of our C++. LDPC parity comes from Gaussian elimination on the whole matrix, not from its
diagonals, so that the two encoders share nothing but the standard's table.

    tools/make_phy_vectors.py tests/vectors/phy_code.txt
"""

import sys
from math import gcd

# 3GPP TS 38.212 V16.2.0, Table 5.3.2-2 (base graph 1), set index 0: column:shift of each row.
BASE_GRAPH = """\
0:250 1:69 2:226 3:159 5:100 6:10 9:59 10:229 11:110 12:191 13:9 15:195 16:23 18:190 19:35 20:239 21:31 22:1 23:0
0:2 2:239 3:117 4:124 5:71 7:222 8:104 9:173 11:220 12:102 14:109 15:132 16:142 17:155 19:255 21:28 22:0 23:0 24:0
0:106 1:111 2:185 4:63 5:117 6:93 7:229 8:177 9:95 10:39 13:142 14:225 15:225 17:245 18:205 19:251 20:117 24:0 25:0
0:121 1:89 3:84 4:20 6:150 7:131 8:243 10:136 11:86 12:246 13:219 14:211 16:240 17:76 18:244 20:144 21:12 22:1 25:0
0:157 1:102 26:0
0:205 1:236 3:194 12:231 16:28 21:123 22:115 27:0
0:183 6:22 10:28 11:67 13:244 17:11 18:157 20:211 28:0
0:220 1:44 4:159 7:31 8:167 14:104 29:0
0:112 1:4 3:7 12:211 16:102 19:164 21:109 22:241 24:90 30:0
0:103 1:182 10:109 11:21 13:142 17:14 18:61 20:216 31:0
1:98 2:149 4:167 7:160 8:49 14:58 32:0
0:77 1:41 12:83 16:182 21:78 22:252 23:22 33:0
0:160 1:42 10:21 11:32 13:234 18:7 34:0
0:177 3:248 7:151 20:185 23:62 35:0
0:206 12:55 15:206 16:127 17:16 21:229 36:0
0:40 1:96 10:65 13:63 18:75 25:179 37:0
1:64 3:49 11:49 20:51 22:154 38:0
0:7 14:164 16:59 17:1 21:144 39:0
1:42 12:233 13:8 18:155 19:147 40:0
0:60 1:73 7:72 8:127 10:224 41:0
0:151 3:186 9:217 11:47 22:160 42:0
1:249 5:121 16:109 20:131 21:171 43:0
0:64 12:142 13:188 17:158 44:0
1:156 2:147 10:170 18:152 45:0
0:112 3:86 4:236 11:116 22:222 46:0
1:23 6:136 7:116 14:182 47:0
0:195 2:243 4:215 15:61 48:0
1:25 6:104 8:194 49:0
0:128 4:165 19:181 21:63 50:0
1:86 14:236 18:84 25:6 51:0
0:216 10:73 13:120 24:9 52:0
1:95 7:177 22:172 25:61 53:0
0:221 12:112 14:199 24:121 54:0
1:2 2:187 11:41 21:211 55:0
0:127 7:167 15:164 17:159 56:0
1:161 6:197 12:207 22:103 57:0
0:37 14:105 15:51 18:120 58:0
1:198 13:220 23:122 59:0
0:167 9:151 10:157 12:163 60:0
1:173 3:139 7:149 19:0 61:0
0:157 8:137 17:149 62:0
1:167 3:173 9:139 18:151 63:0
0:149 4:157 24:137 64:0
1:151 16:163 18:173 25:139 65:0
0:139 7:157 9:163 22:173 66:0
1:149 6:151 10:167 67:0
"""
LIFT = 64
INFO_COLUMNS = 22
PUNCTURED_COLUMNS = 2
INFO_BITS = INFO_COLUMNS * LIFT
PAYLOAD_BYTES = INFO_BITS // 8 - 4
RATES = {"1/3": (1, 3), "2/5": (2, 5), "1/2": (1, 2), "3/5": (3, 5), "2/3": (2, 3), "3/4": (3, 4), "5/6": (5, 6),
         "8/9": (8, 9)}


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
    fields = (bits_of(2, 4) + bits_of(h["node"], 4) + bits_of(h["epoch"], 16) + bits_of(h["sequence"], 16)
              + bits_of(h["width_px"], 12) + bits_of(h["height_px"], 12) + bits_of(h["mode"], 8)
              + bits_of(h["transmit_time_ms"], 16) + bits_of(h["feedback"], 32) + bits_of(0, 4))
    return convolve(fields + bits_of(crc16(fields), 16))


def parity_rows():
    """The parity-check matrix, a row an integer: bit j of it is column j."""
    rows = []
    for line in BASE_GRAPH.splitlines():
        blocks = [tuple(map(int, block.split(":"))) for block in line.split()]
        for check in range(LIFT):
            rows.append(sum(1 << (column * LIFT + (check + shift) % LIFT) for column, shift in blocks))
    return rows


def solve_parity():
    """By elimination: of each parity bit, the info bits (a mask) whose sum it is."""
    rows = parity_rows()
    for column in range(len(rows)):
        bit = 1 << (INFO_BITS + column)
        pivot = next(i for i in range(column, len(rows)) if rows[i] & bit)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for i, row in enumerate(rows):
            if i != column and row & bit:
                rows[i] ^= rows[column]
    return [row & (1 << INFO_BITS) - 1 for row in rows]


PARITY_MASKS = solve_parity()


def ldpc_encode(info, n_coded):
    assert len(info) == INFO_BITS
    word = sum(bit << i for i, bit in enumerate(info))
    codeword = info + [bin(mask & word).count("1") & 1 for mask in PARITY_MASKS]
    packed = sum(bit << i for i, bit in enumerate(codeword))
    assert all(bin(row & packed).count("1") % 2 == 0 for row in parity_rows())
    sent = codeword[PUNCTURED_COLUMNS * LIFT :]
    return [sent[i % len(sent)] for i in range(n_coded)]


def coded_bits(rate):
    numerator, denominator = RATES[rate]
    return INFO_BITS * denominator // numerator


def block_bits(payload, n_coded, crc_initial=0xFFFFFFFF):
    return ldpc_encode(bits_of_bytes(payload + crc32(payload, crc_initial).to_bytes(4, "little")), n_coded)


def splitmix64(index):
    mask = (1 << 64) - 1
    word = ((index + 1) * 0x9E3779B97F4A7C15) & mask
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & mask
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & mask
    return word ^ (word >> 31)


def keystream(node, sequence, channel, n):
    first = sequence << 48 | node << 40 | channel << 32
    return [splitmix64(first + place // 64) >> (place % 64) & 1 for place in range(n)]


def interleaved(n_blocks, n_coded):
    """The coded bit (block, bit) at each place."""
    step = n_coded * 618 // 1000
    while gcd(step, n_coded) != 1:
        step += 1
    places = []
    for group in range(n_coded):
        bit = group * step % n_coded
        rotation = splitmix64(group) % n_blocks
        places += [((i - rotation) % n_blocks, bit) for i in range(n_blocks)]
    return places


def filler_bits(n_coded):
    """Its payload is the keystream of a channel that no frame has."""
    bits = keystream(0, 0, 255, 8 * PAYLOAD_BYTES)
    payload = bytes(int("".join(map(str, bits[i : i + 8])), 2) for i in range(0, len(bits), 8))
    return block_bits(payload, n_coded, crc_initial=0)


def example_payload():
    """Fixed bytes that look like nothing."""
    return bytes((i * i * 7 + i * 31 + 5) & 0xFF for i in range(PAYLOAD_BYTES))


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
    payload = example_payload()
    lines.append(f"payload {payload.hex()}")
    for n_coded in (1584, 1877, 2816, 4224, 4400):
        lines.append(f"block.{n_coded} {hex_of_bits(block_bits(payload, n_coded))}")
        lines.append(f"filler.{n_coded} {hex_of_bits(filler_bits(n_coded))}")
    for node, sequence, channel in [(0, 0, 0), (3, 0xABCD, 2)]:
        lines.append(f"keystream.{node}.{sequence}.{channel} {hex_of_bits(keystream(node, sequence, channel, 256))}")
    for n_blocks, n_coded in (1, 6901), (2, 2816), (7, 1584):
        places = interleaved(n_blocks, n_coded)
        assert len(set(places)) == n_coded * n_blocks
        sample = "".join(f"{block:02x}{bit:04x}" for block, bit in places[:: 61 * n_blocks + 1])
        lines.append(f"interleaver.{n_blocks} {sample}")
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

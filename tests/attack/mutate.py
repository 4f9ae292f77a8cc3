"""Changes to files: what a careless editor, a bad disk and somebody with bad intentions leave behind."""
import gzip
import re

NUMBERS = [b"0", b"-0", b"-1", b"1e308", b"-1e308", b"1e-320", b"nan", b"inf", b"-inf", b"1e999", b"9223372036854775808",
           b"18446744073709551616", b"0x10", b"1,5", b"1_000", b"0.1.2", b"", b"2147483648", b"65536", b"1e7"]
TEXTS = [b"\x1b[2J\x1b[1;31m", "\u202egpj.exe".encode(), "\u2066x\u2069".encode(), b"\xff\xfe", b"\xc0\x80", b"\x00", b"'", b'"', b'"""',
         b"{}", b"{0}", b"%s%n", b"../../etc/passwd", b"/etc/passwd", b"/dev/zero", b"$(touch pwned)", b"`touch pwned`", b"\n", b"\r\n",
         b"[", b"]", b"[[model]]", b"<script>", b"A" * 5000, "é".encode(), "\U0001F600".encode(), b"#", b",", b"\t", b";", b"\xef\xbb\xbf"]
WORDS = [b"normal", b"uniform", b"gamma", b"beta", b"truncated", b"censored", b"mixture", b"poisson", b"exp", b"log", b"sum", b"lower",
         b"upper", b"dirichlet", b"ordered", b"[g]", b"[1]", b"[0]", b"effect", b"sigma", b"y", b"t", b"file", b"kind", b"true", b"library",
         b"process", b"family", b"sampler", b"method"]


def flip(data, r):
    out = bytearray(data)
    for _ in range(r.choice((1, 1, 2, 8, 64))):
        if out:
            out[r.randrange(len(out))] = r.randrange(256)
    return bytes(out)


def cut(data, r):
    return data[:r.randrange(len(data) + 1)]


def remove(data, r):
    at = r.randrange(len(data) + 1)
    return data[:at] + data[at + r.choice((1, 3, 20, 200)):]


def repeat(data, r):
    at = r.randrange(len(data) + 1)
    piece = data[at:at + r.choice((1, 10, 100))]
    return data[:at] + piece * r.choice((2, 10, 1000)) + data[at:]


def insert(data, r):
    at = r.randrange(len(data) + 1)
    return data[:at] + r.choice(TEXTS + NUMBERS + WORDS) + data[at:]


def number(data, r):
    places = [m.span() for m in re.finditer(rb"-?\d+(\.\d+)?(e-?\d+)?", data)]
    if not places:
        return insert(data, r)
    begin, end = r.choice(places)
    return data[:begin] + r.choice(NUMBERS) + data[end:]


def word(data, r):
    places = [m.span() for m in re.finditer(rb"[A-Za-z_-]{1,20}", data)]
    if not places:
        return insert(data, r)
    begin, end = r.choice(places)
    return data[:begin] + r.choice(WORDS + TEXTS) + data[end:]


def lines(data, r):
    all_lines = data.splitlines(keepends=True)
    if len(all_lines) < 2:
        return repeat(data, r)
    i, j = r.randrange(len(all_lines)), r.randrange(len(all_lines))
    how = r.randrange(4)
    if how == 0:
        all_lines[i], all_lines[j] = all_lines[j], all_lines[i]
    elif how == 1:
        del all_lines[i]
    elif how == 2:
        all_lines.insert(j, all_lines[i])
    else:
        all_lines[i] = all_lines[i].rstrip(b"\n") + r.choice((b",1\n", b"=1\n", b"(\n", b")\n", b'"\n'))
    return b"".join(all_lines)


def nest(data, r):
    depth = r.choice((10, 1000, 100000))
    opening = r.choice((b"(", b"[", b"{", b"-", b"exp(", b'{"a":', b"1+("))
    at = r.randrange(len(data) + 1)
    return data[:at] + opening * depth + data[at:]


def empty(_data, r):
    return r.choice((b"", b"\n", b" ", b"\x00", b"\xef\xbb\xbf", b"{}", b"[]", b"null", b"y\n", b"\x1f\x8b", b"\x1f\x8b\x08\x00"))


BINARY = (flip, flip, flip, cut, remove, repeat, empty)
TEXT = (number, number, word, word, lines, lines, insert, insert, flip, cut, remove, repeat, nest, empty)


def mutated(name, data, r):
    """The changed file, and what was done. Compressed files are changed inside as often as outside."""
    inside = data[:2] == b"\x1f\x8b" and r.random() < 0.7
    plain = gzip.decompress(data) if inside else data
    text = not inside and b"\0" not in plain and plain[:2] != b"\x1f\x8b"
    done = []
    for _ in range(r.choice((1, 1, 1, 2, 4))):
        how = r.choice(TEXT if text else BINARY)
        # The header decides on the size of everything.
        if inside and how is flip and len(plain) > 130 and r.random() < 0.7:
            head = bytearray(plain[:352])
            head[r.randrange(40, 130)] = r.choice((0, 1, 127, 128, 255, r.randrange(256)))
            plain = bytes(head) + plain[352:]
        else:
            plain = how(plain, r)
        done.append(how.__name__)
    return (gzip.compress(plain, 1) if inside else plain), f"{name}: {', '.join(done)}{' inside' if inside else ''}"

# SPDX-License-Identifier: BSD-3-Clause
"""Damaged headers of .npy files: numpy decides. Each process damages files of its own."""
import io
import os
import re
import tempfile
import warnings

import numpy as np
import pytest
import xredist
from mpi4py import MPI
from test_xredist import comm, rank

CASES = int(os.environ.get("XREDIST_TEST_CASES", "2000")) // comm.size
SEED = int(os.environ.get("XREDIST_TEST_SEED", "1"))
WHOLE = xredist.Layout(mb=1 << 40, nb=1 << 40)
MAGIC = b"\x93NUMPY"

ARRAYS = [np.arange(12.0).reshape(3, 4), np.arange(20, dtype="i4").reshape(4, 5).T, np.arange(9.0) * 1j,
          np.arange(100, dtype="i1").reshape(10, 10, order="F"), np.full((2621, 4), 7, dtype="f4", order="F"),
          np.arange(30).astype("M8[25s]").reshape(5, 6, order="F"), np.float64(5)]

# Characters and words that other headers have.
PIECES = [bytes([c]) for c in b"0123456789 ,'\":()[]{}<>=|-+.LTFuefalsrtn_\n\r\t\f\\#\x00\xff\xe9"]
PIECES += [b"True", b"False", b"None", b"'shape': (4, 3), ", b"'descr': '|b1', ", b"'descr'", b"'extra': 1, ", b"# c\n",
           b"<f8", b">f8", b"|V8", b"U2", b"M8[ns]", b"[2s]", b"f16", b"03", b"0x3", b"3L", b", 1", b",)", b"''"]

GOOD = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)}"
FORMS = [GOOD + end for end in (
    " x", ",", ";", "\0", "\xa0", " #", "#\xe9", "\n#", "\n #", "\nx", "\n \n", "\n \n  ", "\\")]
FORMS += [begin + GOOD for begin in (
    "", "  ", "\t", "\n", "  \n", "\n ", "\f", "#\n", "\xa0", "x", "-", "u", "\\\n")]
FORMS += ["(" + GOOD + ")", "[" + GOOD + "]", GOOD + GOOD, GOOD[:-1], GOOD[1:], GOOD[:-1] + ",}", GOOD[:-1] + ",,}"]
FORMS += [GOOD.replace("(3, 4)", shape) for shape in (
    "(12,)", "(12)", "12", "()", "(,)", "(3, 4,)", "(3, 4,,)", "(3 4)", "[3, 4]", "(-3, 4)", "(-1, 4)", "(-0, 4)",
    "(+3, 4)", "(03, 4)", "(00, 4)", "(3, 0x4)", "(1_2,)", "(3.0, 4)", "(3, True)", "(3, None)", "('3', 4)",
    "(3L, 4L)", "(3 L, 4 L )", "(3\nL, 4)", "(3#\nL, 4)", "(3LL, 4)", "(3l, 4)", "(L, 4)", "(2, 2, 3)", "(3, 4, 1)",
    "(3, 4), 'shape': (4, 3)", "(3, 4), 'x': 1", "(1 + 2, 4)", "(3, 4 # )\n)", "(99999999999999999999, 1)",
    "(1 << 62, 4)", "(3, 4) + ()", "((3), 4)", "(4294967299, 4)")]
FORMS += [GOOD.replace("False", order) for order in (
    "True", "true", "Truex", "True1", "0", "None", "'True'", "not True", "(False)", "False, 'fortran_order': True")]
FORMS += [GOOD.replace("'<f8'", descr) for descr in (
    '"<f8"', "u'<f8'", "U'<f8'", "u '<f8'", "b'<f8'", "r'<f8'", "ur'<f8'", "'<f''8'", "'\\x3cf8'", "'<f8\\0'",
    "'<f8\n'", "'<f8", "'<f8\"", "'''<f8'''", "('<f8')", "('<f8',)", "['<f8']", "[('a', '<f8')]", "('<f8', (2,))",
    "{}", "8", "None", "<f8")]
FORMS += [GOOD.replace("'descr'", key) for key in (
    "u'descr'", '"descr"', "'des''cr'", "'descr '", "descr", "b'descr'", "('descr')", "'\\x64escr'", "''", "'Descr'")]
FORMS += [f"{{'descr': '{descr}', 'fortran_order': True, 'shape': (2, 2)}}" for descr in (
    "f8", "=f8", "|f8", "<|f8", "f08", "f 8", "f", "d", "float64", "?", "<?", "?1", "b", "b1", "<b1", "b2", "i3",
    "i16", "u8", "f2", "f12", "f16", "c4", "c16", "c32", "S0", "S1", ">S3", "a3", "V3", "V", "U0", "U1", "|U1", ">U1",
    "M8", "|M8", "M4", "M8[]", "M8[s", "M8[s]", "M8[0s]", "M8[07s]", "M8[7s]", "M8[s/2]", "M8[ s]", "M8[B]",
    "M8[generic]", "m8[2147483647s]", "m8[2147483648s]", "O", "|O8", "f8,f8", "f8,", "2f8", "", "<", " f8", "f8 ",
    "m8[us]x", "datetime64[s]")]


def file_of(form, version, padding=0):
    header = form.encode("latin1") + b" " * padding + b"\n"
    length = len(header).to_bytes(2 if version == 1 else 4, "little")
    return MAGIC + bytes([version, 0]) + length + header + np.arange(1.0, 65.0).tobytes()


def undamaged():
    files = []
    for array in ARRAYS:
        for version in ((1, 0), (2, 0), (3, 0)):
            file = io.BytesIO()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                np.lib.format.write_array(file, np.asarray(array), version=version)
            files.append(file.getvalue())
    return files


def damaged(data, rng):
    """Changes, inserts or removes one to three pieces of the header."""
    data = bytearray(data)
    for _ in range(rng.integers(1, 4)):
        at = int(rng.integers(6, 128))
        piece = PIECES[rng.integers(len(PIECES))]
        kind = rng.integers(4)
        if kind == 0:
            data[at:at + len(piece)] = piece
        elif kind == 1:
            data[at:at] = piece
        elif kind == 2:
            del data[at:at + int(rng.integers(1, 6))]
        else:  # with the length of the header that this piece needs
            data[at:at] = piece
            data[8:10] = min(int.from_bytes(data[8:10], "little") + len(piece), 65535).to_bytes(2, "little")
    return bytes(data)


def by_numpy(name):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.load(name, allow_pickle=False)
    except Exception:
        return None


def by_xredist(name):
    """Returns the matrix, or the sentence of the error."""
    try:
        return xredist.load(MPI.COMM_SELF, name, WHOLE)
    except (xredist.Error, MemoryError) as error:  # a header may announce a matrix that no computer can hold
        return str(error)


# The sentences about what numpy reads, and this library does not.
REFUSED = re.compile("has an array with [3-9] dimensions|has elements of the type|elements are structures|whose bytes are in another order|"
                     "the file is in C order|header is not one of NumPy: (it has a control character|a string |"
                     "'.' is missing|fortran_order is neither|shape is not a tuple of sizes|it has more than 10,000 bytes)|Unable to allocate")


def compare(name, data, refused):
    with open(name, "wb") as file:
        file.write(data)
    expected, found = by_numpy(name), by_xredist(name)
    shown = data[:160]
    if expected is None:
        assert isinstance(found, str), f"numpy refuses {shown}"
    elif isinstance(found, str):
        assert REFUSED.search(found), f"{found}: {shown}"
        refused.append((found, shown))
    else:
        whole = np.atleast_2d(expected.T).T
        assert found.dtype == expected.dtype and found.shape == whole.shape, shown
        assert np.array_equal(found.view(f"V{found.dtype.itemsize}"), whole.view(f"V{found.dtype.itemsize}")), shown


@pytest.fixture
def name():
    with tempfile.TemporaryDirectory() as folder:
        yield os.path.join(folder, "a.npy")


def test_damaged_headers_are_read_as_numpy_reads_them(name):
    rng = np.random.default_rng([SEED, rank])
    files, refused = undamaged(), []
    for data in files:
        compare(name, data, [])
    for _ in range(CASES):
        compare(name, damaged(files[rng.integers(len(files))], rng), refused)
    assert len(refused) <= CASES // 100 + 5


def test_other_forms_of_a_header_are_read_as_numpy_reads_them(name):
    for form in FORMS:
        for version in (1, 2, 3):
            compare(name, file_of(form, version), [])
    for version in range(5):
        for minor in (0, 1, 255):
            data = bytearray(file_of(GOOD, max(version, 1)))
            data[6:8] = bytes([version, minor])
            compare(name, bytes(data), [])
    for padding in (0, 9999 - len(GOOD), 10000 - len(GOOD)):
        compare(name, file_of(GOOD, 1, padding), [])

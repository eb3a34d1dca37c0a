"""Python's safetensors and ours agree: on what a file holds, and on which files are wrong.

python tests/model/safetensors_test.py TOOL WORK
"""

import json
import random
import struct
import subprocess
import sys

import numpy
import safetensors
import safetensors.numpy
from each_test import each_test, fresh_folder

SIZES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}
# What the Python package writes in its own names, by the name in the file.
PYTHON_NAMES = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "BF16": "bfloat16",
    "I64": "int64",
    "I32": "int32",
    "I16": "int16",
    "I8": "int8",
    "U8": "uint8",
    "BOOL": "bool",
}


def contents(file):
    tensors = {
        name: (value["dtype"], value["shape"], bytes(value["data"]))
        for name, value in safetensors.deserialize(file.read_bytes())
    }
    with safetensors.safe_open(str(file), framework="numpy") as opened:
        return tensors, opened.metadata()


def test_files_pass_from_python_to_ours_and_back(tool, work):
    generator = random.Random(1)
    tensors, buffers = {}, []  # the buffers have to live while they are written
    for i, (name, size) in enumerate(SIZES.items()):
        for shape in ([], [5], [2, 3], [0, 4]):
            data = generator.randbytes(size * int(numpy.prod(shape)))
            if name == "BOOL":
                data = bytes(byte & 1 for byte in data)
            buffers.append(numpy.frombuffer(data, dtype=numpy.uint8))
            tensors[f'layer{i}.{name}.{shape} ü "quoted"'] = safetensors.TensorSpec(
                dtype=PYTHON_NAMES[name], shape=shape, data_ptr=buffers[-1].ctypes.data, data_len=len(data)
            )
    metadata = {"format": "pt", "note": "two\nlines, ünï"}
    safetensors.serialize_file(tensors, str(work / "python.safetensors"), metadata)
    subprocess.run([tool, "copy", work / "python.safetensors", work / "ours.safetensors"], check=True)
    theirs, ours = contents(work / "python.safetensors"), contents(work / "ours.safetensors")
    assert len(theirs[0]) == len(tensors)
    assert theirs == ours
    # A second copy is the same file: the writer depends on nothing but the contents.
    subprocess.run([tool, "copy", work / "ours.safetensors", work / "again.safetensors"], check=True)
    assert (work / "again.safetensors").read_bytes() == (work / "ours.safetensors").read_bytes()


def test_arrays_arrive_in_numpy(tool, work):
    arrays = {
        "a": numpy.arange(24, dtype=numpy.float32).reshape(2, 3, 4),
        "b": numpy.array([True, False]),
        "c": numpy.array(-3, dtype=numpy.int64),
    }
    safetensors.numpy.save_file(arrays, str(work / "numpy.safetensors"))
    subprocess.run([tool, "copy", work / "numpy.safetensors", work / "copy.safetensors"], check=True)
    loaded = safetensors.numpy.load_file(str(work / "copy.safetensors"))
    assert sorted(loaded) == sorted(arrays)
    for name, array in arrays.items():
        assert loaded[name].dtype == array.dtype and numpy.array_equal(loaded[name], array), name


def damaged_files():
    """Valid headers, and what one change makes of them: (bytes, what Python accepts and we refuse on purpose)."""
    generator = random.Random(2)
    for _ in range(400):
        header, offset = {}, 0
        names = [f"t{i}" for i in range(generator.randrange(5))]
        for name in names:
            dtype = generator.choice(list(SIZES))
            shape = [generator.randrange(4) for _ in range(generator.randrange(3))]
            end = offset + SIZES[dtype] * int(numpy.prod(shape))
            header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, end]}
            offset = end
        if generator.random() < 0.3:
            header["__metadata__"] = {"k": "v"}
        size = offset
        change = generator.randrange(8)
        target = header[generator.choice(names)] if names else None
        if change == 1 and target:
            target["data_offsets"][generator.randrange(2)] += generator.choice([-8, -1, 1, 8])
        elif change == 2 and target:
            target["shape"] = [
                generator.choice([0, 1, 2**31, 2**62, 2**63, 2**64 - 1]) for _ in range(generator.randrange(4))
            ]
        elif change == 3 and target:
            target["dtype"] = generator.choice([*SIZES, "", "f32", "FLOAT"])
        elif change == 4:
            size = max(0, size + generator.choice([-3, -1, 1, 2]))
        elif change == 5 and len(names) > 1:
            header[names[0]]["data_offsets"], header[names[1]]["data_offsets"] = (
                header[names[1]]["data_offsets"],
                header[names[0]]["data_offsets"],
            )
        elif change == 6 and target:
            del target[generator.choice(list(target))]
        text = json.dumps(header, separators=(",", ":")).encode()
        length = len(text)
        if change == 7:
            at = generator.randrange(len(text))
            text = text[:at] + bytes([generator.choice(b'{}[]",:0x \xff')]) + text[at + 1 :]
        elif change == 0 and generator.random() < 0.5:
            length = generator.choice([0, 1, length - 1, length + 1, 10**8, 10**8 + 1, 2**63, 2**64 - 1])
        yield struct.pack("<Q", length) + text + bytes(size)
    valid = json.dumps({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}}).encode()
    for cut in range(len(valid) + 10):
        yield (struct.pack("<Q", len(valid)) + valid + bytes(2))[:cut]


def accepted_by_python(data):
    try:
        safetensors.deserialize(data)
        return True
    except safetensors.SafetensorError:
        return False


def test_both_refuse_the_same_files(tool, work):
    files, expected = [], []
    for i, data in enumerate(damaged_files()):
        file = work / f"damaged{i:04}"
        file.write_bytes(data)
        files.append(file)
        expected.append(accepted_by_python(data))
    output = subprocess.run([tool, "check", *files], check=True, capture_output=True, text=True).stdout
    answers = output.splitlines()
    assert len(answers) == len(files)
    assert 100 < sum(expected) < len(files) - 100, sum(expected)
    for file, theirs, ours in zip(files, expected, answers, strict=True):
        if theirs != (ours == "ok"):
            # Stricter on purpose: no key but the three, and every key once.
            assert theirs and ("unknown key" in ours or "occurs twice" in ours), (file, theirs, ours)


def main():
    tool, work = sys.argv[1], fresh_folder(sys.argv[2])
    each_test(globals(), tool, work)


main()

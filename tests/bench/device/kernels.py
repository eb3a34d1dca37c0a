"""libgpe_kernels.so for PyTorch's tensors, by ctypes: the structs of model/cuda/gpe_kernels.h."""

import ctypes
from ctypes import Structure, byref, c_char_p, c_float, c_int32, c_int64, c_void_p

import torch

VERSION = 3
ELEMENTS = {torch.bfloat16: 0, torch.float16: 1, torch.float32: 2}
ROWS = (
    "log_normalizer",
    "entropy",
    "varentropy",
    "mean_distance",
    "largest_weight",
    "largest_score",
    "largest_content",
    "sink_weight",
)


class Tensor(Structure):
    _fields_ = [("data", c_void_p), ("batch", c_int64), ("head", c_int64), ("token", c_int64)]


class Shape(Structure):
    _fields_ = [(name, c_int32) for name in ("batch", "heads", "group", "queries", "keys", "head_dim")]


class ScoreTables(Structure):
    _fields_ = [(name, c_void_p) for name in ("gain", "bias", "cosine", "sine", "first", "last", "softcap", "sink")] + [
        ("length", c_int32),
        ("table_heads", c_int32),
        ("scale", c_float),
        ("interleaved", c_int32),
        ("series_terms", c_void_p),
        ("series", c_void_p),
        ("series_tiles", c_int32),
        ("swap_sign", c_float),
    ]


class Visible(Structure):
    _fields_ = [("begin", c_void_p), ("end", c_void_p)]


class RowResults(Structure):
    _fields_ = [(name, c_void_p) for name in ROWS]


class Buckets(Structure):
    _fields_ = [("edges", c_void_p), ("count", c_int32), ("mass", c_void_p)]


class RowsProblem(Structure):
    _fields_ = [
        ("shape", Shape),
        ("q", Tensor),
        ("k", Tensor),
        ("v", Tensor),
        ("out", Tensor),
        ("scores", ScoreTables),
        ("visible", Visible),
        ("rows", RowResults),
        ("buckets", Buckets),
    ]


class LossGradients(Structure):
    _fields_ = [("log_normalizer", c_void_p), ("entropy", c_void_p)]


class GradientProblem(Structure):
    _fields_ = [
        ("shape", Shape),
        *((name, Tensor) for name in ("q", "k", "v", "out", "out_gradient", "q_gradient", "k_gradient", "v_gradient")),
        ("scores", ScoreTables),
        ("log_normalizer", c_void_p),
        ("entropy", c_void_p),
        ("row_gradients", LossGradients),
        ("workspace", c_void_p),
        *((name, c_void_p) for name in ("gain", "bias", "transform")),
    ]


class CrossEntropyProblem(Structure):
    _fields_ = [
        ("logits", c_void_p),
        ("targets", c_void_p),
        ("losses", c_void_p),
        ("rows", c_int64),
        ("vocabulary", c_int64),
        ("scale", c_float),
    ]


def pointer(tensor):
    return None if tensor is None else tensor.data_ptr()


class Scores:
    """Tables of all heads on a device, from what tests/cuda/tables_tool writes."""

    def __init__(self, tables, device, head_dim, series=False, windows=None):
        self.tensors = {name: tensor.to(device) for name, tensor in tables.items()}
        if windows is not None:
            self.tensors["last"] = torch.tensor(windows, dtype=torch.int32, device=device)
        of = self.tensors
        if not series:
            of.pop("series", None)
            of.pop("series_terms", None)
        length = of["bias"].shape[1]
        names = ("gain", "bias", "cosine", "sine", "first", "last", "softcap", "sink")
        self.struct = ScoreTables(
            *(pointer(of.get(name)) for name in names),
            length,
            of["bias"].shape[0],
            head_dim**-0.5,
            0,
            pointer(of.get("series_terms")),
            pointer(of.get("series")),
            of["series_terms"].shape[1] if "series" in of else 0,
            -1.0,
        )


class Kernels:
    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        version = self.library.gpe_kernels_version()
        if version != VERSION:
            raise SystemExit(f"{path}: version {version}; expected {VERSION}")
        for name in ("gpe_distances_workspace", "gpe_gradient_workspace"):
            getattr(self.library, name).restype = c_int64
        calls = ("rows", "distances", "gradients")
        for name in (*(f"gpe_attention_{call}" for call in calls), "gpe_cross_entropy", "gpe_turn"):
            getattr(self.library, name).restype = c_char_p

    @staticmethod
    def check(error):
        if error is not None:
            raise RuntimeError(error.decode())

    @staticmethod
    def tensor(tensor):
        """[batch, head, token, coordinate]"""
        return (
            Tensor()
            if tensor is None
            else Tensor(tensor.data_ptr(), tensor.stride(0), tensor.stride(1), tensor.stride(2))
        )

    @staticmethod
    def stream(device):
        return c_void_p(torch.cuda.current_stream().cuda_stream) if device.type == "cuda" else None

    def rows(self, q, k, scores, v=None, out=None, edges=None, mass=None, **results):
        batch, heads, queries, head_dim = q.shape
        problem = RowsProblem(
            Shape(batch, heads, heads // k.shape[1], queries, k.shape[2], head_dim),
            self.tensor(q),
            self.tensor(k),
            self.tensor(v),
            self.tensor(out),
            scores.struct,
            Visible(),
            RowResults(*(pointer(results.get(name)) for name in ROWS)),
            Buckets(pointer(edges), 0 if edges is None else len(edges), pointer(mass)),
        )
        self.check(self.library.gpe_attention_rows(byref(problem), ELEMENTS[q.dtype], self.stream(q.device)))

    def distances(self, q, k, scores, log_normalizer):
        """A function that fills [batch, head, (weights, pairs, contents, their squares), n], and that tensor."""
        batch, heads, queries, head_dim = q.shape
        problem = RowsProblem(
            Shape(batch, heads, heads // k.shape[1], queries, k.shape[2], head_dim),
            self.tensor(q),
            self.tensor(k),
            Tensor(),
            Tensor(),
            scores.struct,
            Visible(),
            RowResults(log_normalizer.data_ptr()),
            Buckets(),
        )
        workspace = torch.empty(self.library.gpe_distances_workspace(byref(problem)), device=q.device)
        sums = torch.empty(batch, heads, 4, scores.struct.length, dtype=torch.float64, device=q.device)

        def fill():
            self.check(
                self.library.gpe_attention_distances(
                    byref(problem),
                    c_void_p(workspace.data_ptr()),
                    c_void_p(sums.data_ptr()),
                    ELEMENTS[q.dtype],
                    self.stream(q.device),
                )
            )

        return fill, sums

    def gradients(self, q, k, v, scores, out, log_normalizer, out_gradient):
        """∂loss/∂q, ∂loss/∂k and ∂loss/∂v, from what `rows` left."""
        batch, heads, tokens, head_dim = q.shape
        shape = Shape(batch, heads, 1, tokens, tokens, head_dim)
        results = [torch.full_like(x, torch.nan) for x in (q, k, v)]
        problem = GradientProblem(
            shape, *(self.tensor(x) for x in (q, k, v, out, out_gradient, *results)), scores.struct
        )
        problem.log_normalizer = log_normalizer.data_ptr()
        workspace = torch.empty(self.library.gpe_gradient_workspace(byref(problem)), device=q.device)
        problem.workspace = workspace.data_ptr()
        self.check(self.library.gpe_attention_gradients(byref(problem), ELEMENTS[q.dtype], self.stream(q.device)))
        return results

    def turn(self, tokens, angles):
        """[batch, head, token, coordinate], in place; angles [head_dim/2], double, on the device."""
        batch, heads, count, head_dim = tokens.shape
        self.check(
            self.library.gpe_turn(
                byref(Shape(batch, heads, 1, count, count, head_dim)),
                byref(self.tensor(tokens)),
                heads,
                count,
                0,
                c_void_p(angles.data_ptr()),
                0,
                1,
                ELEMENTS[tokens.dtype],
                self.stream(tokens.device),
            )
        )

    def cross_entropy(self, logits, targets, losses, scale):
        problem = CrossEntropyProblem(pointer(logits), pointer(targets), pointer(losses), *logits.shape, scale)
        self.check(self.library.gpe_cross_entropy(byref(problem), ELEMENTS[logits.dtype], self.stream(logits.device)))

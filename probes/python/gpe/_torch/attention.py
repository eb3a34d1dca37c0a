"""attention: the output of the kernels that train and measure models, differentiable."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from gpe._errors import SpecError
from gpe._specs import Spec
from gpe._torch.blockwise import Blockwise, attended
from gpe._torch.encoding import Value
from gpe._torch.operators import causal_attention
from gpe._torch.statistics import Setting, bound, even, for_kernel, packed


def attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    encoding: Spec | None = None,
    parameters: Mapping[str, Value] | None = None,
    *,
    scale: float | None = None,
    causal: bool = True,
    window: int | None = None,
    softcap: float | torch.Tensor | None = None,
    sink: float | torch.Tensor | None = None,
    query_offset: int | None = None,
    key_padding_mask: torch.Tensor | None = None,
    document_ids: torch.Tensor | None = None,
    query_positions: torch.Tensor | None = None,
    key_positions: torch.Tensor | None = None,
    layer: int = 0,
    layers: int = 1,
) -> torch.Tensor:
    """o_i = Σ_j p_ij v_j with the weights of an encoding; arguments as for `attention_statistics`.

    On the CPU, with causal attention of consecutive tokens, these are the kernels of train-tsm, forwards and backwards;
    everything else is computed in plain torch, some queries at a time.

    Args:
        q, k, v: [B, Hq, Nq, d], [B, Hkv, Nk, d] and [B, Hkv, Nk, dv]; float32, float64, bfloat16 or float16.
        parameters: tensors [] or [Hq] get gradients; `gpe.parameter_values` has the values to begin with.
        query_offset: Nk - Nq by default: queries are the last tokens.

    Returns:
        [B, Hq, Nq, dv] in the type of q; 0 for a query that sees no key.
    """
    if v.dim() != 4 or v.shape[:3] != k.shape[:3] or v.dtype != q.dtype or v.device != q.device:
        raise SpecError(
            f"expected v [B, Hkv, Nk, dv] like k {list(k.shape)}, not {v.dtype} {list(v.shape)} on {v.device}"
        )
    if query_offset is None:
        query_offset = k.size(2) - q.size(2) if query_positions is None else 0
    setting = Setting.of(
        q,
        k,
        scale=scale,
        causal=causal,
        query_offset=query_offset,
        key_padding_mask=key_padding_mask,
        document_ids=document_ids,
        query_positions=query_positions,
        key_positions=key_positions,
    )
    width = v.size(3)
    if q.size(3) % 2 and v.size(3) == q.size(3):
        (v,) = even(v)
    options = {"layer": layer, "layers": layers, "window": window, "softcap": softcap, "sink": sink}
    q, k, here, given = bound(q, k, encoding, parameters, **options)
    ends = (setting.offset or 0) + q.size(2)
    if _is_for_kernels(q, k, v, setting):
        k, v = packed(k)[:, :, :ends], packed(v)[:, :, :ends]
        out = causal_attention(for_kernel(q, setting.scale), k, v, given, here)[0]
    else:
        out = attended(setting.blockwise(Blockwise, q, k, here, given), v)
    return out[..., :width].to(q.dtype)


def _is_for_kernels(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, setting: Setting) -> bool:
    return (
        q.device.type == "cpu"
        and setting.causal
        and setting.offset is not None
        and 0 <= setting.offset <= k.size(2) - q.size(2)
        and setting.visible.everything
        and v.size(3) == q.size(3)
    )

"""Changes that a newer transformers may make, each in a copy of the installed one: keys_test.py finds every one.

python tests/checks/wheel_changes_test.py PROGRAMS WORK
"""

import os
import pathlib
import subprocess
import sys

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)

HOME = pathlib.Path(transformers.__file__).parent
ROPE = "modeling_rope_utils.py"
#: A decoder, a file, what stands there, and what a newer version has; where none is named, defaults are compared.
CHANGES = (
    (
        "qwen3",
        ROPE,
        'rope_parameters_dict.get("beta_fast") or 32',
        "config.beta_fast if hasattr(config, 'beta_fast') else 32",
    ),
    ("llama", ROPE, 'low_freq_factor = rope_parameters_dict["low_freq_factor"]', "low_freq_factor = 1.0"),
    ("llama", ROPE, 'truncate = config.rope_parameters.get("truncate", True)', "truncate = True"),
    (
        "gemma3_text",
        ROPE,
        'truncate = config.rope_parameters.get("truncate", True)',
        'truncate = rope_parameters_dict.get("truncate", True)',
    ),
    (
        "llama",
        ROPE,
        "self.rope_parameters = rope_scaling or self.rope_parameters",
        "self.rope_parameters = self.rope_parameters or rope_scaling",
    ),
    (
        "llama",
        ROPE,
        'rope_parameters.setdefault("partial_rotary_factor", partial_rotary_factor)',
        'rope_parameters["partial_rotary_factor"] = partial_rotary_factor',
    ),
    ("phi3", "models/phi3/configuration_phi3.py", 'in ["su", "yarn"]', 'in ["su"]'),
    ("qwen2", "models/qwen2/configuration_qwen2.py", "if self.use_sliding_window else None", ""),
    ("cohere2", "models/cohere2/configuration_cohere2.py", '"sliding_window_pattern", 4', '"pattern", 4'),
    ("gpt_neox", "models/gpt_neox/configuration_gpt_neox.py", "rotary_emb_base", "rotary_base"),
    ("gemma2", "models/gemma2/modeling_gemma2.py", "config.query_pre_attn_scalar**-0.5", "config.head_dim**-0.5"),
    ("", "models/llama/configuration_llama.py", "num_hidden_layers: int = 32", "num_hidden_layers: int = 30"),
)


def changed_copy(root, file, before, after):
    """A folder like that of transformers in which one file is another one."""
    text = (HOME / file).read_text()
    if before not in text:
        sys.exit(f"{file} has no {before!r}")
    inside = root / "transformers"
    for part in pathlib.PurePath(file).parts:
        real = HOME / inside.relative_to(root / "transformers")
        inside.mkdir(parents=True)
        for one in real.iterdir():
            if one.name not in (part, "__pycache__"):
                (inside / one.name).symlink_to(one)
        inside /= part
    inside.write_text(text.replace(before, after))


def main():
    programs, work = sys.argv[1], pathlib.Path(sys.argv[2])
    test = pathlib.Path(__file__).with_name("keys_test.py")
    for number, (decoder, file, before, after) in enumerate(CHANGES):
        root = work / f"change-{number}"
        subprocess.run(["rm", "-rf", root], check=True)
        changed_copy(root, file, before, after)
        path = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            [sys.executable, test, programs, "--every", work / "keys", *([decoder] if decoder else [])],
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            text=True,
        )
        said = (done.stdout + done.stderr).strip().splitlines()
        print(
            f"{decoder or 'defaults'}: {after or 'without'} {before}: exit {done.returncode}: {said[-1][:150]}",
            flush=True,
        )
        if done.returncode != 1 or ("read otherwise" not in said[-1] and "defaults differ" not in done.stderr):
            sys.exit("the change is not found")
    print(f"{len(CHANGES)} changes of transformers {transformers.__version__} are found")


if __name__ == "__main__":
    main()

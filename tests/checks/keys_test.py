"""Every key that a class of transformers has, changed alone, and every key of a rotation at each place where a
config.json may have it: what its class makes of them, and what check-properties does.

    python tests/checks/keys_test.py PROGRAMS WORK [--every] [DECODER...]

For each decoder of docs/tables/models.md, the fields are those of its class of configuration, and the keys of rotations
are those that the wheel declares or its code asks for. A key that the class reads for positions, and that no accepted
configuration could change, is an error. A key without values here is one too, and so is a default of the wheel that
differs from checks/configs/config_defaults.cpp. --every: all fields of a class, and all types of rotations, not two of
them.
"""

import difflib
import json
import os
import pathlib
import sys
import zlib
from unittest import mock

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)
import keys_asked
import readings
import readings_test
import spied
import wheel
import written_out
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

SOURCE = pathlib.Path(__file__).resolve().parents[2]
#: What each rope type needs; the factors of longrope have one number for each block.
NEEDED = {
    "default": {},
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 4.0},
    "proportional": {},
    "yarn": {"factor": 4.0},
    "longrope": {"short_factor": None, "long_factor": None},
    "llama3": {"factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0},
}
#: Of a key inside the dict, beside it, and around the dicts of layer types.
VALUES = {
    "factor": (2.0, 3.0, 5.0),
    "original_max_position_embeddings": (256, 320, 384),
    "attention_factor": (1.25, 1.5, 1.75),
    "beta_fast": (16.0, 20.0, 24.0),
    "beta_slow": (2.0, 3.0, 4.0),
    "truncate": (False, False, False),
    "mscale": (0.7, 0.8, 0.9),
    "mscale_all_dim": (0.5, 0.6, 0.4),
    "low_freq_factor": (1.5, 1.25, 1.75),
    "high_freq_factor": (8.0, 6.0, 7.0),
    "partial_rotary_factor": (0.5, 0.25, 0.75),
    "rope_theta": (50000.0, 60000.0, 70000.0),
    "alpha": (100.0, 50.0, 25.0),
    "llama_4_scaling_beta": (0.1, 0.2, 0.3),
    "short_mscale": (1.1, 1.2, 1.3),
    "long_mscale": (1.4, 1.5, 1.6),
    "rotary_dim": (8, 4, 12),
    "mrope_section": ([2, 3, 3], [2, 3, 3], [2, 3, 3]),
    "short_factor": None,
    "long_factor": None,
}
#: Older names of types, which some classes take.
OLDER = {"su": "longrope", "yarn": "longrope", "mrope": "default", "xdrope": "dynamic"}
ROTARY = "(?<!Vision)RotaryEmbedding$"
PLACES = ("inside", "beside", "around")
#: Keys left out together, as they hide what others do.
ALONE = ((), ("attention_factor",), ("attention_factor", "mscale"))


class Asked:
    """Configurations of one decoder: keys, what the class makes of them, and which keys they are about."""

    def __init__(self, decoder):
        self.decoder, self.cases, self.told, self.varied = decoder, [], set(), set()
        self.plain = {"model_type": decoder} | spied.small_keys(decoder)
        if "max_position_embeddings" in readings.fields_of(decoder):
            self.plain["max_position_embeddings"] = readings_test.LENGTH
        for key in ("rope_scaling", "rope_parameters"):
            self.plain.pop(key, None)
        self.start = spied.small_keys(decoder).get("rope_parameters", {})

    def take(self, keys, about):
        """Whether the class takes this configuration, which is then compared."""
        try:
            config, found = readings.class_reading(self.decoder, keys)
        except Exception:  # the class refuses it
            return False
        if keys_asked.does_not_run(config):
            return False
        self.cases.append((keys, config, found))
        self.told |= set(about)
        return True


def block_factors(keys, config):
    size = keys_asked.field(config, "qk_rope_head_dim") or keys_asked.field(config, "head_dim") or 16
    return {key: [1 + (i + 1) * by for i in range(size // 2)] for key, by in keys}


def labels_of(config):
    labels = keys_asked.field(config, "_rope_type_labels") or dict.fromkeys(
        keys_asked.field(config, "layer_types") or []
    )
    return [label for label in labels if label]


def needed_of(decoder, kind, config):
    """A dict of this type with what it needs."""
    needed = {"rope_type": kind} | {key: value for key, value in NEEDED[kind].items() if value}
    if kind == "longrope":
        needed |= block_factors((("short_factor", 0.05), ("long_factor", 0.3)), config)
    known = readings_test.rope_keys(decoder)
    return needed | {key: VALUES[key][0] for key in ("rope_theta", *readings_test.NEEDED) if key in known}


def rotations(asked, kinds):
    """Each rope type with each of its keys inside the dict, beside it, both, and around nested ones."""
    decoder = asked.decoder
    config = readings.config_of(decoder, asked.plain | {"rope_parameters": asked.start or None})
    unknown = [key for key in readings_test.rope_keys(decoder) if key not in VALUES and key != "rope_type"]
    if unknown:
        sys.exit(f"{decoder}: keys of its rotation without values in this test: {', '.join(unknown)}")
    labels = labels_of(config)
    optional = [key for key in readings_test.rope_keys(decoder) if VALUES.get(key)]
    for kind in kinds:
        needed = needed_of(decoder, kind, config)
        for nested in (False, True) if labels else (False,):
            for home in ("rope_parameters", "rope_scaling") if kind in ("yarn", "llama3") else ("rope_parameters",):
                rotation(asked, kind, home, labels if nested else None, needed, optional)
        older = {"type" if key == "rope_type" else key: value for key, value in needed.items()}
        asked.take(asked.plain | {"rope_scaling": older}, [(kind, "type", "inside")])
    for name, kind in OLDER.items():
        if f'"{name}"' in keys_asked.source_of(decoder):
            needed = needed_of(decoder, kind, config) | {"rope_type": name, "factor": 4.0}
            needed |= {"original_max_position_embeddings": VALUES["original_max_position_embeddings"][0]}
            asked.take(asked.plain | {"rope_scaling": needed}, [(name, "rope_type", "inside")])
    both = {
        "rope_scaling": {"rope_type": "linear", "factor": 2.0, "rope_theta": 30000.0},
        "rope_parameters": {"rope_type": "linear", "factor": 3.0, "rope_theta": 40000.0},
    }
    asked.take(asked.plain | both, [("linear", "factor", "in both dicts")])


def placed(plain, home, labels, needed, values):
    """A configuration with values by place."""
    inside = needed | values.get("inside", {})
    if not labels:
        return plain | values.get("beside", {}) | {home: inside}
    nested = {label: dict(inside) for label in labels} | values.get("around", {})
    return plain | values.get("beside", {}) | {home: nested}


def rotation(asked, kind, home, labels, needed, optional):
    """All keys at once at each place, and each of them left out; alone, where the class does not take them together."""
    places = PLACES if labels else PLACES[:2]
    if not asked.take(placed(asked.plain, home, labels, needed, {}), [(kind, key, "inside") for key in needed]):
        return
    for place in (*places, "inside and beside"):
        chosen = place.split(" and ")
        everything = {p: {key: VALUES[key][PLACES.index(p)] for key in optional} for p in chosen}
        for without in ALONE if kind == "yarn" else ALONE[:2]:
            values = {p: {k: v for k, v in of.items() if k not in without} for p, of in everything.items()}
            about = [(kind, key, p) for p in chosen for key in values[p]]
            asked.take(placed(asked.plain, home, labels, needed, values), about)
        left = [key for key in optional for p in chosen if (kind, key, p) not in asked.told]
        for key in left:
            values = {p: {key: VALUES[key][PLACES.index(p)]} for p in chosen}
            asked.take(placed(asked.plain, home, labels, needed, values), [(kind, key, p) for p in chosen])


def fields(asked, every):
    """Each field of the class with other values, also where a switch that changes something is turned."""
    decoder = asked.decoder
    plain = asked.plain | ({"rope_parameters": asked.start} if asked.start else {})
    found = readings.fields_of(decoder)
    bases = [plain]
    if not asked.take(plain, []):
        sys.exit(f"{decoder}: its class refuses the configuration without changes")
    first = keys_asked.state_of(*asked.cases[-1][1:])
    for name, field in found.items():
        if isinstance(field.default, bool) and asked.take(plain | {name: not field.default}, [name]):
            if keys_asked.state_of(*asked.cases[-1][1:]) != first:
                bases.append(plain | {name: not field.default})
    for number, base in enumerate(bases):
        config = readings.config_of(decoder, base)
        for name in found:
            read = name in keys_asked.read_by(decoder) or readings_test.SWITCHES.search(name)
            if name in keys_asked.APART or not (read or (every and number == 0)):
                continue
            for value in keys_asked.values_of(decoder, config, name):
                asked.varied.add(name)
                asked.take(base | {name: value}, [name])


def others(asked):
    """Each key that the class takes beside its fields."""
    for name in keys_asked.popped(asked.decoder):
        for value in keys_asked.popped_values(name) if name not in keys_asked.APART else ():
            asked.take(asked.plain | {name: value}, [name])


def check_defaults():
    """What the classes have where a config.json has nothing is what the program has."""
    made, kept = (
        [line for line in text.splitlines() if "tests/checks/decoders_test.py" not in line]
        for text in (wheel.defaults_source(), (SOURCE / "checks/configs/config_defaults.cpp").read_text())
    )
    changed = [line for line in difflib.unified_diff(kept, made, "config_defaults.cpp", "the wheel", n=0, lineterm="")]
    if changed:
        sys.exit("defaults differ; decoders_test.py --remake writes them:\n" + "\n".join(changed[:20]))


#: Decoders whose attention is written out, which gpe.conformance does not see.
WRITTEN_OUT = ("bloom", "codegen", "gptj", "mpt", "pix2struct_text_model", "roformer", "udop")


def running(program, decoder):
    """Of a decoder without a rotary embedding to ask alone: small models that run, with each field changed."""
    asked, faults = Asked(decoder), []
    config = readings.config_of(decoder, asked.plain)
    own, written_out_ = spied.MORE.get(decoder, {}), decoder in WRITTEN_OUT
    read = [name for name in keys_asked.read_by(decoder) if written_out_ or readings_test.SWITCHES.search(name)]
    for name in ["", *sorted(set(read) - keys_asked.APART.keys())]:
        values = keys_asked.values_of(decoder, config, name)[: 1 + written_out_] if name else [None]
        for value in values:
            keys = {name: value} if name else {}
            asked.varied |= set(keys)
            try:
                if written_out_:
                    fault = written_out.fault_of(program, decoder, asked.plain | keys)
                else:
                    with mock.patch.dict(spied.MORE, {decoder: own | keys}):
                        fault = spied.compare(program.work, decoder)
            except (Exception, SystemExit):  # such a model does not run
                continue
            if fault is None or not fault.startswith("not "):
                asked.cases.append((keys, None, None))
                asked.told |= set(keys)
                faults += [(keys, fault)] if fault else []
    return asked, faults + unchanged(asked)


def unchanged(asked):
    """Keys that the class reads, when it took no value of them."""
    missing = sorted(asked.varied & keys_asked.read_by(asked.decoder) - asked.told - keys_asked.TIED)
    missing = [key for key in missing if not readings_test.IDLE.search(key)]
    return [({}, f"its class reads '{key}', and takes no value of this test for it") for key in missing]


def check(program, decoder, every):
    """The configurations that are compared, and the faults."""
    if not readings.class_of(decoder, ROTARY):
        return running(program, decoder)
    asked = Asked(decoder)
    fields(asked, every)
    others(asked)
    faults = unchanged(asked)
    scaled = sorted(ROPE_INIT_FUNCTIONS)
    one = zlib.crc32(decoder.encode()) % len(scaled)
    rotations(asked, ["default", *(scaled if every else scaled[one : one + 1])])
    ours = program.readings([keys for keys, _, _ in asked.cases])
    for (keys, config, found), mine in zip(asked.cases, ours, strict=True):
        fault = readings_test.fault_of(decoder, config, found, mine, mine)
        if fault and not keys_asked.REFUSED.search(fault):
            faults.append((keys, fault))
    said = any(one.caveat for mine in ours if not isinstance(mine, str) for one in mine)
    norms = wheel.norms_after(decoder)
    if said != bool(norms):
        faults.append(({}, f"norms with weights after the rotation: said {said}, in the code {sorted(norms)}"))
    return asked, faults


def main():
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    every = "--every" in sys.argv
    folder, work, *chosen = (argument for argument in sys.argv[1:] if argument != "--every")
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    program = readings.Program(folder, work)
    spied.use(folder)
    count, told, wrong = 0, 0, 0
    if not chosen:
        check_defaults()
    decoders = chosen or readings_test.all_decoders()
    for decoder in decoders:
        asked, faults = check(program, decoder, every)
        if not asked.told:
            faults.append(({}, "none of its keys is varied"))
        count += len(asked.cases)
        told += len(asked.told)
        wrong += len(faults)
        for keys, fault in faults[:3]:
            print(f"{decoder}: {json.dumps(keys)}\n    {fault}", flush=True)
    if wrong:
        sys.exit(f"{wrong} of {count} configurations are read otherwise")
    print(
        f"{count} configurations of {len(decoders)} decoders, {told} keys and places of keys, are read as transformers "
        f"{transformers.__version__} reads them"
    )


if __name__ == "__main__":
    main()

"""Two hosts train as one process with the doubled batch: two network namespaces with names of hosts, joined by a wire.

python tests/model/hosts_test.py TRAIN_TSM WORK
"""

import os
import pathlib
import shutil
import subprocess
import sys

import training_data
from ranks_test import ENVIRONMENT, close, entries
from train_resume_test import CONFIG, MEASURED

HOSTS = {f"gpe-{name}-{os.getpid()}": f"10.77.77.{number}" for number, name in enumerate(("first", "second"), 1)}
FIRST, SECOND = HOSTS
# What mpirun reaches another host with, in place of ssh: HOST COMMAND...
AGENT = f"""#!/bin/sh
shift
exec ip netns exec {SECOND} unshare --uts sh -c "hostname {SECOND}; $*"
"""


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, text=True, check=True).stdout


def connect():
    for name in HOSTS:
        ip("netns", "add", name)
        ip("-n", name, "link", "set", "lo", "up")
    ip("-n", FIRST, "link", "add", "wire", "type", "veth", "peer", "name", "wire", "netns", SECOND)
    for name, address in HOSTS.items():
        ip("-n", name, "address", "add", f"{address}/24", "dev", "wire")
        ip("-n", name, "link", "set", "wire", "up")


def disconnect():
    for name in HOSTS:
        subprocess.run(["ip", "netns", "delete", name], capture_output=True)


def sent(host):
    """Bytes that left it by the wire."""
    return int(
        subprocess.run(
            ["ip", "netns", "exec", host, "cat", "/sys/class/net/wire/statistics/tx_bytes"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )


def train(work, folder, batch, train_tsm, *launcher):
    command = [train_tsm, work / "config.toml", f"--set=training.batch={batch}", "--data", work / "data"]
    command += ["--output", folder, "--threads", "1", "--quiet"]
    done = subprocess.run(
        [*map(str, [*launcher, *command])], capture_output=True, text=True, env=ENVIRONMENT, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return entries(folder)


def main():
    train_tsm, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    if shutil.which("mpirun") is None:
        print("SKIPPED: mpirun is absent; ./setup.sh --tests installs it")
        return
    disconnect()
    try:
        connect()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"SKIPPED: no network namespaces can be made here: {getattr(error, 'stderr', None) or error}")
        disconnect()
        return
    shutil.rmtree(work, ignore_errors=True)
    (work / "data").mkdir(parents=True)
    training_data.write_tokens(work / "data", 250)
    (work / "measured.toml").write_text(MEASURED)
    config = CONFIG.replace("ENCODING", str(work / "measured.toml")).replace("iterations = 240", "iterations = 30")
    (work / "config.toml").write_text(config)
    agent = work / "agent"
    agent.write_text(AGENT)
    agent.chmod(0o755)
    options = {"plm_rsh_agent": agent, "btl": "tcp,self", "btl_tcp_if_include": "wire", "oob_tcp_if_include": "wire"}
    mpirun = ["mpirun", "-n", "2", "--host", f"{FIRST}:1,{HOSTS[SECOND]}:1"]
    mpirun += [word for name, value in options.items() for word in ("--mca", name, value)]
    own = ["ip", "netns", "exec", FIRST, "unshare", "--uts", "sh", "-c", f'hostname {FIRST}; exec "$@"', "sh"]
    try:
        several = train(work, work / "two", 4, train_tsm, *own, *mpirun)
        bytes_sent = min(map(sent, HOSTS))
    finally:
        disconnect()
    one = train(work, work / "one", 8, train_tsm)
    assert several[0].pop("ranks") == 2 and close(several, one)
    weights = (work / "two" / "model.safetensors").stat().st_size
    assert bytes_sent > 10 * weights, (bytes_sent, weights)  # gradients of 30 steps went by the wire
    print(f"{bytes_sent} bytes between two hosts; the same losses as one process")


if __name__ == "__main__":
    main()

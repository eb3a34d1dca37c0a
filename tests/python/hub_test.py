"""Ids of models of the Hugging Face hub: from a filled cache, from a hub, and where there is none.

python tests/python/hub_test.py FOLDER-OF-PROGRAMS WORK
"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)

ROOT = pathlib.Path(__file__).resolve().parents[2]
LLAMA = ROOT / "tests" / "cases" / "configs" / "llama-3.1-8b.json"
COMMIT = "a" * 40
#: What the hub says of other models.
REFUSED = {"org/gated": (403, "GatedRepo"), "org/absent": (404, "RepoNotFound"), "org/weights": (404, "EntryNotFound")}


class Hub(http.server.BaseHTTPRequestHandler):
    """A hub of one config.json."""

    def do_HEAD(self):
        self.do_GET(body=False)

    def do_GET(self, body=True):
        name = "/".join(self.path.split("/")[1:3])
        status, code = REFUSED.get(name, (200, ""))
        data = LLAMA.read_bytes() if status == 200 else b""
        self.send_response(status)
        for key, value in (("X-Error-Code", code), ("X-Repo-Commit", COMMIT), ("ETag", '"1"')):
            if value:
                self.send_header(key, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if body:
            self.wfile.write(data)

    def log_message(self, *_):
        pass


def ran(environment, *words):
    done = subprocess.run(
        [environment["GPE_PROGRAMS"] + "/gpe", *words], capture_output=True, text=True, env=os.environ | environment
    )
    return done.returncode, done.stdout, done.stderr


def expect(found, code, *parts):
    text = found[1] + found[2]
    if found[0] != code or not all(part in text for part in parts):
        sys.exit(f"exit code {found[0]}, expected {code}; expected in the text {parts}:\n{text}")
    return text


def filled(home, name):
    folder = home / "hub" / f"models--{name.replace('/', '--')}"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text(COMMIT)
    (folder / "snapshots" / COMMIT).mkdir(parents=True)
    (folder / "snapshots" / COMMIT / "config.json").write_bytes(LLAMA.read_bytes())


def main():
    programs, work = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    subprocess.run(["rm", "-rf", str(work)], check=True)
    work.mkdir(parents=True)
    filled(work / "filled", "meta-llama/Llama-3.1-8B")
    environment = {"GPE_PROGRAMS": programs, "GPE_PYTHON": sys.executable, "HF_HOME": str(work / "filled")}
    offline = environment | {"HF_HUB_OFFLINE": "1"}
    name = "meta-llama/Llama-3.1-8B"
    plain = ran(offline, "check", str(LLAMA), "--table", "frequencies")
    if plain[0] or ran(offline, "check", name, "--table", "frequencies")[1] != plain[1]:
        sys.exit(f"the frequencies of {name} in the cache are not those of its config.json: {plain[2]}")
    expect(ran(offline, "check", "--stack", name, "--context", "4096"), 0, "A context of 4096 tokens")
    expect(ran(offline, "configs", name, str(LLAMA)), 0)
    for words in (("check", "org/other"), ("configs", name, "org/other"), ("check", "--stack", "org/other")):
        expect(ran(offline, *words), 2, "'org/other': no such file or folder", "hf download org/other config.json")
    expect(ran(offline, "check", "alibi", "--weight", "1/2", "--quiet"), 0)
    asked = "import gpe; print(gpe.from_config('meta-llama/Llama-3.1-8B')[0].heads)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, env=os.environ | offline)
    expect((done.returncode, done.stdout, done.stderr), 0, "32")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    online = environment | {"HF_HOME": str(work / "empty"), "HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}"}
    online |= {"HF_HUB_OFFLINE": "0", "no_proxy": "127.0.0.1"}
    fetched = ran(online, "check", "org/llama", "--table", "frequencies")
    if fetched[1] != plain[1]:
        sys.exit(f"the frequencies of a model that is fetched are others: {fetched}")
    expect(ran(online, "check", "org/gated"), 2, "'org/gated': its terms are to be accepted", "hf auth login")
    expect(ran(online, "check", "org/absent"), 2, "no such model of the Hugging Face hub")
    expect(ran(online, "check", "org/weights"), 2, "'org/weights' has no config.json on the hub")
    server.shutdown()
    held = [file.name for file in (work / "empty").rglob("*") if file.is_file() and file.stat().st_size > 10000]
    if held:
        sys.exit(f"more than configs was fetched: {held}")
    blocked = {"PYTHONPATH": str(work / "without"), **offline}
    (work / "without" / "transformers").mkdir(parents=True)
    (work / "without" / "transformers" / "__init__.py").write_text("raise ImportError\n")
    expect(ran(blocked, "check", name), 2, "it needs transformers (pip install transformers)")
    print(f"{json.dumps(sorted(REFUSED))} are refused with their reasons; transformers {transformers.__version__}")


if __name__ == "__main__":
    main()

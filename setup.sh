#!/usr/bin/env bash
# Installs what is missing, and nothing else. Needs root or sudo; asks nothing; quick when nothing is missing.
#   ./setup.sh            what building and running the programs takes
#   ./setup.sh --plots    also what pictures and pages of reports take, in .venv (0.2 GB)
#   ./setup.sh --model    also what the programs for models take: LibTorch, for the CPU, and tokenizers, in .venv (1.5 GB)
#   ./setup.sh --tests    also what gpe.probe, GPUs and the tests take: torch and Python packages, in .venv (5 GB: PyPI's torch has CUDA)
#   ./setup.sh --proofs   also the proof assistant that checks the theorems of theory/proofs
#   ./setup.sh --bench    also the systems that tests/bench compares with
#   ./setup.sh --page     also what the page for browsers takes: emscripten, and GMP, MPFR, FLINT and Arb for it in ~/.cache (1 GB)
#   ./setup.sh --package  also what a wheel and a Debian package take, with torch in .venv (5 GB)
set -euo pipefail
cd "$(dirname "$0")"

build_packages=(
  g++ cmake ninja-build
  libflint-dev libflint-arb-dev libmpfr-dev libgmp-dev    # exact numbers, certified balls
  libtomlplusplus-dev nlohmann-json3-dev libcli11-dev
  libjemalloc-dev                                         # the programs take a sixth less time
  libeigen3-dev                                           # linear algebra of the model
)
test_packages=(
  libgtest-dev librapidcheck-dev libbenchmark-dev
  libboost1.81-dev            # Boost.Multiprecision: second computations of sums
  clang libclang-rt-dev       # libFuzzer and its sanitizers
  clang-format                # the layout of C++
  locales                     # reports must not depend on the locale
  zsh fish                    # completion of command lines
  libopenmpi-dev openmpi-bin  # training in several processes
  doxygen libjs-katex         # the site: pages of the C++ interface, formulas
  python3 python3-venv
)
plot_packages=(
  python3 python3-venv
)
proof_packages=(
  coq libcoq-coquelicot
)
page_packages=(
  emscripten clang-14 llvm-14 nodejs make xz-utils   # WebAssembly, and what runs it in tests
  libjs-chart.js                          # its pictures
  chromium                                # the browser of the tests
  python3 python3-venv
)
package_packages=(
  dpkg-dev file                           # what a Debian package depends on
  python3 python3-venv
)
bench_packages=(
  libbenchmark-dev
  xcas maxima maxima-share    # Giac and Maxima
  pari-gp
  heaptrack                   # memory that is allocated at once
  python3 python3-venv
)

fail() {
  echo "setup.sh: $1" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# install PACKAGE...: those that are not installed yet
install() {
  command -v dpkg-query >/dev/null || fail "this is no Debian or Ubuntu (no dpkg); install the equivalents of: $*"
  local package missing=() log
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || fail "apt-get is absent; install: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "neither root nor sudo; as root: apt-get install ${missing[*]}"
    sudo -n true 2>/dev/null || fail "sudo wants a password; run 'sudo -v' first, or as root: apt-get install ${missing[*]}"
  fi
  echo "setup.sh: installing ${missing[*]}"
  log=$(mktemp)
  as_root apt-get update -qq >"$log" 2>&1 || true   # one failing source need not matter: the next line decides
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "apt-get could not install: ${missing[*]}"
  fi
  rm -f "$log"
}

# python_packages FILE [OPTION...]: a pinned list into .venv, unless that very list is there already
python_packages() {
  local file=$1 stamp
  shift
  stamp=.venv/installed-$(basename "$file")
  if [ -x .venv/bin/python ] && .venv/bin/python -c '' 2>/dev/null && cmp -s "$file" "$stamp"; then return 0; fi
  if ! { [ -x .venv/bin/python ] && .venv/bin/python -c '' 2>/dev/null; }; then
    echo "setup.sh: making .venv"
    rm -rf .venv
    python3 -m venv .venv || fail "python3 cannot make a virtual environment"
  fi
  echo "setup.sh: installing $file into .venv"
  .venv/bin/python -m pip install -q --disable-pip-version-check "$@" -r "$file" || fail "pip could not install $file"
  cp "$file" "$stamp"
}

# own_packages NAME: requirements-NAME.txt into an environment of its own, .venv/NAME, unless that very list is there already
own_packages() {
  local file=requirements-$1.txt folder=.venv/$1
  if [ -x "$folder/bin/python" ] && "$folder/bin/python" -c '' 2>/dev/null && cmp -s "$file" "$folder/installed"; then return 0; fi
  echo "setup.sh: installing $file into $folder"
  rm -rf "$folder"
  python3 -m venv "$folder" || fail "python3 cannot make a virtual environment"
  "$folder/bin/python" -m pip install -q --disable-pip-version-check --no-deps -r "$file" || fail "pip could not install $file"
  cp "$file" "$folder/installed"
}

tests='' plots='' model='' torch='' proofs='' bench='' page='' package=''
case "$#:${1:-}" in
  0:) ;;
  1:--plots) plots=1 ;;
  1:--model) plots=1 model=1 ;;
  1:--tests) tests=1 plots=1 model=1 torch=1 ;;
  1:--proofs) proofs=1 ;;
  1:--bench) bench=1 plots=1 ;;
  1:--page) page=1 ;;
  1:--package) package=1 plots=1 model=1 torch=1 ;;
  1:--help | 1:-h)
    sed -n '2,10s/^# \{0,1\}//p' setup.sh
    exit 0
    ;;
  *)
    echo "setup.sh: unknown option '$*'; expected nothing, --plots, --model, --tests, --proofs, --bench, --page or --package" >&2
    exit 2
    ;;
esac

install "${build_packages[@]}" ${plots:+"${plot_packages[@]}"} ${tests:+"${test_packages[@]}"} ${proofs:+"${proof_packages[@]}"} ${bench:+"${bench_packages[@]}"} \
  ${page:+"${page_packages[@]}"} ${package:+"${package_packages[@]}"}
if [ -n "$plots" ]; then python_packages requirements-plots.txt --no-deps; fi
if [ -n "$torch$bench" ]; then python_packages requirements-tests.txt --no-deps; fi
if [ -n "$model" ]; then
  python_packages requirements-libtorch.txt --no-deps
  python_packages requirements-data.txt --no-deps
fi
if [ -n "$torch" ]; then
  python_packages requirements-torch.txt --no-deps
  python_packages requirements-transformers.txt --no-deps
fi
if [ -n "$tests" ]; then
  own_packages notebooks
  own_packages site
  [ -n "$(command -v nvcc)" ] || [ -x /usr/local/cuda/bin/nvcc ] || python_packages requirements-nvcc.txt --no-deps
fi
if [ -n "$package" ]; then
  own_packages package
  if ! cmp -s requirements-plots.txt .venv/package/wheels/fetched; then  # what the wheel depends on, for its test, which has no network
    .venv/package/bin/python -m pip download -q --disable-pip-version-check --no-deps -d .venv/package/wheels -r requirements-plots.txt ||
      fail "pip could not fetch requirements-plots.txt"
    cp requirements-plots.txt .venv/package/wheels/fetched
  fi
fi
if [ -n "$page" ]; then
  own_packages page
  page/libraries.sh >/dev/null
fi

#!/usr/bin/env bash
# GMP, MPFR, FLINT and Arb as WebAssembly, from the sources of Debian, in a folder outside the clone. Quick when they are there.
#   page/libraries.sh           builds what is missing (some twenty minutes) and prints the folder
#   page/libraries.sh --where   only prints the folder
set -euo pipefail
packages=(gmp mpfr4 flint flint-arb)
recipe=3  # one more whenever what follows makes something else
folder=${XDG_CACHE_HOME:-$HOME/.cache}/gpe/wasm/emscripten-$(dpkg-query -W -f='${Version}' emscripten 2>/dev/null || echo none)-$recipe

if [ "${1:-}" = --where ]; then echo "$folder" && exit 0; fi
[ $# -eq 0 ] || { echo "libraries.sh: unknown option '$*'; expected nothing or --where" >&2; exit 2; }
if [ -e "$folder/done" ]; then echo "$folder" && exit 0; fi

fail() {
  echo "libraries.sh: $1" >&2
  exit 1
}

say() { echo "libraries.sh: $1" >&2; }

command -v emcc >/dev/null || fail "emcc is absent; ./setup.sh --page installs it"
# A node that is not Debian's neither finds Debian's modules nor keeps files and addresses apart.
export NODE_PATH=/usr/share/nodejs
node --no-experimental-fetch -e '' 2>/dev/null && export NODE_OPTIONS=--no-experimental-fetch

work=$folder/work
mkdir -p "$work/sources/lists/partial" "$folder/include" "$folder/lib"
cd "$work"
exec 9>"$work/lock"
flock 9
if [ -e "$folder/done" ]; then echo "$folder" && exit 0; fi

# The sources of Debian 12, through a list of our own: that of the system stays as it is.
fetch() {
  [ ! -e sources/done ] || return 0
  say "fetching the sources of ${packages[*]}"
  echo 'deb-src http://deb.debian.org/debian bookworm main' >sources/sources.list
  local own=(-o "Dir::Etc::SourceList=$work/sources/sources.list" -o Dir::Etc::SourceParts=/dev/null
             -o "Dir::State::Lists=$work/sources/lists" -o APT::Sandbox::User=)
  (cd sources && apt-get "${own[@]}" -qq update && apt-get "${own[@]}" -qq source --download-only "${packages[@]}") >log.fetch 2>&1 ||
    fail "the sources could not be fetched; see $work/log.fetch"
  local archive
  for archive in sources/*.orig.tar.*; do tar xf "$archive"; done
  touch sources/done
}

# step NAME FOLDER COMMAND...: once, in its folder; what it says goes into a file
step() {
  local name=$1 where=$2
  shift 2
  [ ! -e "done.$name" ] || return 0
  say "$name"
  (cd "$where" && "$@") >"log.$name" 2>&1 || fail "$name failed; see $work/log.$name"
  touch "done.$name"
}

# emcc takes a second for every question of configure, so clang answers, with the flags that emcc gives it, and links against the C library of
# emscripten; what that expects of JavaScript is answered by nothing, for no such program is run.
read -r -a flags <<<"$(emcc --cflags)"
system=/usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten
cat >cc <<END
#!/bin/sh
case " \$* " in *' -c '* | *' -E '* | *' -S '* | *' -v '* | *' -V '* | *' --version '*) exec clang-14 ${flags[*]} "\$@" ;; esac
exec clang-14 ${flags[*]} "\$@" -nostdlib $system/crt1.o $work/outside.o -L$system -lc -lcompiler_rt -ldlmalloc -lc
END
chmod +x cc
clang-14 "${flags[@]}" -x c -c - -o outside.o <<END
void exit(int code) { (void)code; for (;;) {} }
void _Exit(int code) { exit(code); }
void abort(void) { exit(1); }
void *emscripten_memcpy_big(void *to, const void *from, unsigned long size) { (void)from, (void)size; return to; }
int emscripten_resize_heap(unsigned long size) { (void)size; return 0; }
void emscripten_notify_memory_growth(unsigned long index) { (void)index; }
END
# libtool takes longer than the compiler: objects, and an archive of them, are all that is wanted.
cat >libtool <<'END'
#!/bin/sh
while [ "${1#--mode=}" = "$1" ]; do shift; done
mode=${1#--mode=}
shift
if [ "$mode" = compile ]; then
  for word; do
    shift
    case $word in *.lo) : >"$word"; word=${word%.lo}.o ;; esac
    set -- "$@" "$word"
  done
  exec "$@"
fi
for word; do
  case $word in *.lo) objects="$objects ${word%.lo}.o" ;; *.la) archive=${word%.la}.a ;; esac
done
exec llvm-ar-14 rcs "$archive" $objects
END
chmod +x libtool
cross=("CC=$work/cc" AR=llvm-ar-14 RANLIB=llvm-ranlib-14 NM=llvm-nm-14 CFLAGS=-O2)
jobs=$(nproc)

# Limbs of 64 bits, although long has 32.
gmp() {
  mkdir -p doc && printf 'all install:\n' >doc/Makefile.in  # Debian leaves doc out
  sed -i 's/^  none-\*-\*)$/&\n    limb=longlong/' configure
  ./configure "${cross[@]}" CC_FOR_BUILD=gcc --build=x86_64-pc-linux-gnu --host=none --disable-assembly --disable-shared --prefix="$folder"
  make -j"$jobs"
  make install
  cp gmpxx.h "$folder/include"  # headers only: nothing prints a number of it
}

mpfr() {
  printf 'all install:\n' >doc/Makefile.in
  ./configure "${cross[@]}" --build=x86_64-pc-linux-gnu --host=wasm32-unknown-linux --with-gmp="$folder" --disable-thread-safe \
    --disable-shared --prefix="$folder"
  make -C src -j"$jobs" LIBTOOL="$work/libtool" libmpfr.la
  cp src/mpfr.h "$folder/include"
  cp src/libmpfr.a "$folder/lib"
}

# archive NAME SOURCE...: their objects; FLINT and Arb have files of one name in many folders
archive() {
  local name=$1
  shift
  export FLAGS
  printf '%s\0' "$@" | xargs -0 -n 16 -P "$jobs" sh -c 'for source; do
    object=$(echo "${source%.c}" | tr / _).o
    [ -e "objects/$object" ] || { "$0" -O2 $FLAGS -c "$source" -o "objects/new.$object" && mv "objects/new.$object" "objects/$object"; } || exit 255
  done' "$work/cc"
  find objects -name '*.o' ! -name 'new.*' -print0 | xargs -0 llvm-ar-14 qcs "$name.new"
  mv "$name.new" "$folder/lib/lib$name.a"
}

# Words of 64 bits, too. FLINT knows them beside a long of 32 by the name of the one system where it met both.
flint() {
  mkdir -p objects "$folder/include/flint"
  cp fft_tuning64.in fft_tuning.h
  cp fmpz-conversions-single.in fmpz-conversions.h
  cp fmpz/link/fmpz_single.c fmpz/fmpz.c
  printf '#define %s\n' 'FLINT_USES_TLS 0' 'FLINT_USES_FENV 0' 'FLINT_USES_PTHREAD 0' 'FLINT_USES_GC 0' 'FLINT_USES_BLAS 0' 'FLINT_USES_CPUSET 0' 'FLINT_BIG_ENDIAN 0' \
    'FLINT_REENTRANT 0' 'FLINT_WANT_ASSERT 0' FLINT_DLL >flint-config.h
  echo 'int flint_conway_polynomials[] = {0};' >conway.c  # without those 200 kB it finds irreducible polynomials itself
  local module sources=(conway.c printf.c fprintf.c sprintf.c scanf.c fscanf.c sscanf.c clz_tab.c memory_manager.c version.c exception.c hashmap.c inlines.c)
  for module in */; do  # none of what is left out is used
    case $module in
      *_templates/ | examples/ | profile/ | test/ | flintxx/ | objects/ | build/ | padic*/ | qadic/ | fmpz_poly_q/ | fmpq_poly/ | fmpq_mpoly*/ | *_poly_mat/ | fq_default*/ | \
        *_embed/ | fq/ | fq_mat/ | fq_vec/ | fq_poly*/ | fq_zech_mat/ | fq_zech_poly_factor/) ;;
      *) sources+=($(find "$module" -maxdepth 1 -name '*.c')) ;;
    esac
  done
  cp -p ./*.h "$folder/include/flint"
  FLAGS="-D__mips64 -include sys/types.h -I. -I$folder/include" archive flint "${sources[@]}"
}

arb() {
  mkdir -p objects
  cp -p ./*.h "$folder/include"
  local module sources=()
  for module in */; do
    case $module in
      doc/ | examples/ | objects/ | acb_modular/ | acb_elliptic/ | acb_dft/ | dlog/ | dirichlet/ | arb_fpwrap/ | arb_calc/ | bool_mat/ | partitions/) ;;
      *) sources+=($(find "$module" -maxdepth 1 -name '*.c')) ;;
    esac
  done
  FLAGS="-D__mips64 -include sys/types.h -I. -I$folder/include -I$folder/include/flint" archive arb "${sources[@]}"
}

fetch
step gmp gmp-* gmp
step mpfr mpfr-* mpfr
step flint flint2-* flint
step arb arb-* arb
for source in gmp-* mpfr-* flint2-* arb-*; do
  mkdir -p "$folder/licenses/$source"
  find "$source" -maxdepth 1 \( -name 'COPYING*' -o -name 'LICENSE' -o -name 'AUTHORS' \) -exec cp {} "$folder/licenses/$source" \;
done
touch "$folder/done"
echo "$folder"

#!/bin/sh
# Points a second of check-properties --sweep with one process and with two, three times each, the best of each:
#
#   tests/bench/sweep.sh [FOLDER OF THE PROGRAMS]
#
# A grid of 300 points of ALiBi and KERPLE; the two processes are those of mpirun, and write the same bytes.
set -eu
programs=${1:-build/bin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/grid.toml" <<GRID
schema = 1
encodings = ["alibi", "kerple-log"]

[parameters]
m = { range = "1/65536..1", points = 200 }
p = { range = "1/2..4", points = 10 }
a = { range = "1/10..10", points = 10 }
GRID
best() {  # COMMAND...: the least of three times, in seconds
  least=
  for run in 1 2 3; do
    rm -f "$work/out.csv"
    begin=$(date +%s.%N)
    "$@" --sweep "$work/grid.toml" --output "$work/out.csv"
    end=$(date +%s.%N)
    least=$(echo "$begin $end $least" | awk '{ t = $2 - $1; print (NF > 2 && $3 < t) ? $3 : t }')
  done
  echo "$least"
}
one=$(best "$programs/check-properties")
cp "$work/out.csv" "$work/one.csv"
two=$(best mpirun --oversubscribe -n 2 "$programs/check-properties")
cmp "$work/out.csv" "$work/one.csv"
echo "$one $two" | awk '{ printf "one process %.0f points/s, two %.0f points/s\n", 300/$1, 300/$2 }'

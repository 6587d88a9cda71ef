#!/usr/bin/env bash
# Follows the simulations of the studies along all executions, on one thread: as one automaton in machine code, and with both automata
# and the proof block interpreted. Where all pairs of states are visited, both have to count the same.
#
#     explorer/benches/pairs.sh
#
# Each time is the least user time of three runs of a whole process. IOA=FILE takes that binary instead of building one.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ -z "${IOA:-}" ]; then cargo build --release --quiet -p workbench; fi
ioa=${IOA:-$PWD/target/release/ioa}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%U

# The least of three user times of a command, whose answer is kept. That a bound was reached is no failure.
least_user() {
  for _ in 1 2 3; do { time "$@" > "$work/said" 2> /dev/null || [ $? -eq 3 ]; } 2>&1; done | sort -g | head -n 1
}

figure() { sed -nE "s/.*\"$1\": ([0-9]+).*/\1/p" "$work/said" | head -n 1; }

row() {
  local study=$1 simulation=$2 states=$3 fast slow pairs low counted
  shift 3
  local command=("$ioa" explore "case-studies/$study" --simulation "$simulation" --states "$states" --threads 1 --json "$@")
  slow=$(least_user "${command[@]}" --no-native)
  counted="$(figure 'pairs of states') $(figure 'low steps') $(figure 'high steps')"
  fast=$(least_user "${command[@]}")
  pairs=$(figure 'pairs of states') low=$(figure 'low steps')
  if [ "$pairs" -lt "$states" ] && [ "$counted" != "$pairs $low $(figure 'high steps')" ]; then
    echo "$simulation: $pairs pairs in machine code, interpreted $counted" >&2; exit 1
  fi
  awk -v n="$simulation" -v p="$pairs" -v l="$low" -v f="$fast" -v s="$slow" 'BEGIN {
    printf "%-24s %9d pairs %9d low steps %7.3f s %9.0f low steps/s; interpreted %7.3f s: %.0f times as long\n", n, p, l, f, l / f, s, s / f }'
}

row two-phase-commit "TwoPhase to TCommit" 1000000 --sort RM=6
row lamport-paxos "Paxos to Consensus" 1000000
row migrating-table "MigratingTable to Table" 1000000
row lock-service "LockService to Owners" 200000
row paxos "Global1 to Cons" 200000
row alternating-bit "ABP to Queue" 200000

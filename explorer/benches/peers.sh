#!/usr/bin/env bash
# Explores the four benchmark rows with ioa and, where it is installed (Debian: apt install spin gcc), with Spin, one
# after the other on this machine, and prints the ratio. The numbers of states have to be the same, or it fails.
#
#     explorer/benches/peers.sh [THREADS]
#
# IOA=FILE takes that binary instead of building one.
#
# ioa answers exactly, breadth first, on THREADS threads (1 if nothing is said), and checks an invariant and whether there
# is a deadlock; then it goes over the states again and checks all invariants. Spin checks for deadlocks alone. It
# searches depth first on one core, its fastest way: optimised, without partial-order reduction (which would visit fewer
# states) and without what only liveness needs; with a hash table as large as the states, and with and without compressed
# states (COLLAPSE).
set -euo pipefail
cd "$(dirname "$0")/../.."
threads=${1:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -z "${IOA:-}" ]; then cargo build --release --quiet -p workbench; fi
ioa=${IOA:-$PWD/target/release/ioa}
models=$PWD/explorer/benches/promela

# A number from a JSON document that has it once.
field() { sed -nE "s/.*\"$1\": *([0-9.e+-]+).*/\1/p" | head -n 1; }

# What `ioa explore` says of a study: distinct states, generated states, seconds, bytes a state.
ours() {
  "$ioa" explore "$@" --threads "$threads" --json > "$work/ours.json"
  for name in distinct_states generated_states seconds memory_bytes; do field "$name" < "$work/ours.json"; done
}

# What Spin says of a model: stored states, transitions, seconds, megabytes.
spin_run() {
  local model=$1 size=$2 hash=$3; shift 3
  (cd "$work" && spin -a "-D$size" "$models/$model.pml" > /dev/null \
    && gcc -O3 -DSAFETY -DNOCLAIM -DNOREDUCE -DNOFAIR -DMEMLIM=6000 "$@" -o pan pan.c 2> /dev/null \
    && ./pan -m1000000 "-w$hash" -n > spin.txt)
  grep -q "errors: 0" "$work/spin.txt"
  sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p; s/^ *([0-9.e+]+) transitions.*/\1/p' "$work/spin.txt"
  sed -nE 's/^pan: elapsed time ([0-9.]+) seconds.*/\1/p; s/^ *([0-9.]+).*total actual memory usage.*/\1/p' "$work/spin.txt"
}

row() {
  local title=$1 expected=$2 model=$3 size=$4 hash=$5 invariant=$6; shift 6
  local distinct generated seconds bytes all
  { read -r distinct; read -r generated; read -r all; read -r bytes; } < <(ours "$@")
  { read -r distinct; read -r generated; read -r seconds; read -r bytes; } < <(ours "$@" --only "$invariant")
  if [ "$distinct" != "$expected" ]; then
    echo "$title: ioa counts $distinct states, not $expected" >&2; exit 1
  fi
  awk -v t="$title" -v d="$distinct" -v g="$generated" -v s="$seconds" -v b="$bytes" -v a="$all" 'BEGIN {
    printf "%-28s ioa             %8.2f s  %12.0f states/s  %12.0f generated/s  %6.0f MiB  %5.1f bytes a state; all invariants: %.2f s\n",
      t, s, d / s, g / s, b / 1048576, b / d, a }'
  command -v spin > /dev/null || return 0
  local form stored steps first second
  for form in "" "-DCOLLAPSE"; do
    { read -r stored; read -r steps; read -r first; read -r second; } \
      < <(spin_run "$model" "$size" "$hash" ${form:+"$form"})
    # Spin says its memory before its time.
    awk -v t="$title" -v d="$stored" -v e="$expected" -v g="$steps" -v m="$first" -v s="$second" -v o="$seconds" \
        -v f="spin${form:+ collapse}" 'BEGIN {
      printf "%-28s %-15s %8.2f s  %12.0f states/s  %12.0f generated/s  %6.0f MiB  %5.1f bytes a state; ioa is %.1f times as fast\n",
        t, f, s, d / s, g / s, m, m * 1048576 / d, s / o
      if (d < 0.999999 * e || d > 1.000001 * e) { print t ": Spin stores " d " states" > "/dev/stderr"; exit 1 } }'
  done
}

commit=(case-studies/two-phase-commit --automaton TwoPhase)
paxos=(case-studies/lamport-paxos --automaton Paxos --sort Acceptor=3 --sort Value=2)
row "two-phase commit, 7 RMs" 296448 two-phase N=7 20 Agreement "${commit[@]}" --sort RM=7
row "two-phase commit, 9 RMs" 10340352 two-phase N=9 24 Agreement "${commit[@]}" --sort RM=9
row "Paxos, 3 ballots" 185369 paxos B=3 19 Consistency "${paxos[@]}" --sort Ballot=3
row "Paxos, 4 ballots" 8220065 paxos B=4 24 Consistency "${paxos[@]}" --sort Ballot=4

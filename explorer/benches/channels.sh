#!/usr/bin/env bash
# Explores models of channels, message sets and puzzles, one after the other on this machine, on one thread, and prints
# how fast. The numbers of states and of steps have to be the same when steps are interpreted, or it fails; so do the
# numbers that are known otherwise.
#
#     explorer/benches/channels.sh
#
# Each time is the least of three runs. IOA=FILE takes that binary instead of building one.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ -z "${IOA:-}" ]; then cargo build --release --quiet -p workbench; fi
ioa=${IOA:-$PWD/target/release/ioa}

# Distinct states, generated states, seconds and bytes of an exploration.
explored() {
  "$ioa" explore "$@" --keep-going --allow-deadlock --threads 1 --json | sed -nE \
    's/.*"(distinct_states|generated_states|seconds|memory_bytes)": *([0-9.e+-]+).*/\1 \2/p' \
    | awk '!($1 in seen) { seen[$1] = $2 } END { print seen["distinct_states"], seen["generated_states"], seen["seconds"], seen["memory_bytes"] }'
}

row() {
  local title=$1 expected=$2 distinct generated seconds bytes slow_distinct slow_generated slow least=
  shift 2
  for _ in 1 2 3; do
    read -r distinct generated seconds bytes < <(explored "$@")
    least=$(printf '%s\n' $least "$seconds" | sort -g | head -n 1)
  done
  read -r slow_distinct slow_generated slow _ < <(explored "$@" --no-native)
  if [ "$distinct $generated" != "$slow_distinct $slow_generated" ]; then
    echo "$title: $distinct states by machine code, $slow_distinct by interpretation" >&2; exit 1
  fi
  if [ -n "$expected" ] && [ "$distinct" != "$expected" ]; then
    echo "$title: $distinct states, not $expected" >&2; exit 1
  fi
  awk -v t="$title" -v d="$distinct" -v g="$generated" -v s="$least" -v b="$bytes" -v i="$slow" 'BEGIN {
    printf "%-34s %9d states %9d steps %8.3f s %10.0f states/s %6.1f bytes a state; interpreted %8.3f s\n", t, d, g, s, d / s, b / d, i }'
}

models=explorer/benches/models
row "mutual exclusion, 3 processes" "" $models/mutex.ioa --sort Proc=3
row "leader election on a ring of 7" "" $models/lcr.ioa --sort Node=7
row "go-back-N, window 4 of 8" "" $models/go-back-n.ioa
row "a channel of 5 messages" 2000719 $models/fifo.ioa --sort Node=3
row "Raft's election, 3 servers" "" $models/raft.ioa --sort Server=3
row "9 queens in columns" 8394 $models/queens-columns.ioa --sort Col=9
row "9 queens on a board" 8394 $models/queens-board.ioa --sort Line=9

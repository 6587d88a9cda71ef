#!/usr/bin/env bash
# Explores models of channels, message sets and puzzles, one after the other on this machine, on one thread, and prints
# how fast; where Spin is installed (Debian: apt install spin gcc), beside Spin. The numbers of states and of steps have to be
# the same when steps are interpreted, and in Spin, or it fails; so do the numbers that are known otherwise. (What has more than
# three million states is not interpreted.)
#
#     explorer/benches/channels.sh
#
# Each time is the least of three runs. Those that are compared with Spin's are of the processor, in user mode, and of whole
# processes: start-up and translation to machine code are in ours, and what spin and gcc take is not in Spin's. Spin searches
# depth first, as in peers.sh: optimised, without partial-order reduction, which would visit fewer states, and with a hash
# table that is large enough. IOA=FILE takes that binary instead of building one.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ -z "${IOA:-}" ]; then cargo build --release --quiet -p workbench; fi
ioa=${IOA:-$PWD/target/release/ioa}
promela=$PWD/explorer/benches/promela
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%U

# Distinct states, generated states, seconds and bytes of an exploration.
explored() {
  "$ioa" explore "$@" --no-symmetry --keep-going --allow-deadlock --threads 1 --json | sed -nE \
    's/.*"(distinct_states|generated_states|seconds|memory_bytes)": *([0-9.e+-]+).*/\1 \2/p' \
    | awk '!($1 in seen) { seen[$1] = $2 } END { print seen["distinct_states"], seen["generated_states"], seen["seconds"], seen["memory_bytes"] }'
}

# The least of three user times of a command.
least_user() {
  for _ in 1 2 3; do { time "$@" > "$work/said" 2> "$work/complaint"; } 2>&1; done | sort -g | head -n 1
}

# Explores a Promela model, at a size if one is given behind its name, and prints how often the time of ours, which is given, goes into Spin's.
beside_spin() {
  local model size states=$2 steps=$3 ours=$4 theirs slots
  read -r model size <<< "$1"
  # Spin would leave variables that are never read out of the states.
  (cd "$work" && spin -o2 -a ${size:+"-D$size"} "$promela/$model.pml" > /dev/null \
    && gcc -O3 -DSAFETY -DNOCLAIM -DNOREDUCE -DNOFAIR -DMEMLIM=6000 -o pan pan.c 2> /dev/null)
  slots=$(awk -v d="$states" 'BEGIN { n = 16; while (2 ^ n < d) n++; print n }')
  theirs=$(cd "$work" && least_user ./pan -E -m4000000 "-w$slots" -n)
  if ! grep -q "errors: 0" "$work/said" || ! grep -qE "^ *$states states, stored" "$work/said" \
      || ! grep -qE "^ *$steps transitions" "$work/said"; then
    echo "$model: Spin does not count $states states and $steps steps" >&2; cat "$work/said" >&2; exit 1
  fi
  awk -v o="$ours" -v t="$theirs" 'BEGIN {
    printf "%34s user time: ioa %.2f s, spin %.2f s", "", o, t
    if (o > 0) { printf ": ioa is %.1f times as fast", t / o }
    print "" }'
}

row() {
  local title=$1 expected=$2 model=$3 distinct generated seconds bytes slow_distinct slow_generated slow least=
  shift 3
  for _ in 1 2 3; do
    read -r distinct generated seconds bytes < <(explored "$@")
    least=$(printf '%s\n' $least "$seconds" | sort -g | head -n 1)
  done
  slow_distinct=$distinct slow_generated=$generated slow=0
  if [ "$distinct" -lt 3000000 ]; then
    read -r slow_distinct slow_generated slow _ < <(explored "$@" --no-native)
  fi
  if [ "$distinct $generated" != "$slow_distinct $slow_generated" ]; then
    echo "$title: $distinct states by machine code, $slow_distinct by interpretation" >&2; exit 1
  fi
  if [ -n "$expected" ] && [ "$distinct" != "$expected" ]; then
    echo "$title: $distinct states, not $expected" >&2; exit 1
  fi
  awk -v t="$title" -v d="$distinct" -v g="$generated" -v s="$least" -v b="$bytes" -v i="$slow" 'BEGIN {
    printf "%-34s %9d states %9d steps %8.3f s %10.0f states/s %6.1f bytes a state", t, d, g, s, d / s, b / d
    print (i > 0 ? sprintf("; interpreted %8.3f s", i) : "") }'
  if command -v spin > /dev/null && [ -n "$model" ]; then
    beside_spin "$model" "$distinct" "$generated" \
      "$(least_user "$ioa" explore "$@" --no-symmetry --only deadlock --keep-going --threads 1)"
  fi
}

models=explorer/benches/models
row "mutual exclusion, 3 processes" "" mutex $models/mutex.ioa --sort Proc=3
row "leader election on a ring of 7" "" "lcr N=7" $models/lcr.ioa --sort Node=7
row "leader election on a ring of 10" "" "lcr N=10" $models/lcr.ioa --sort Node=10
row "go-back-N, window 4 of 8" "" go-back-n $models/go-back-n.ioa
row "a channel of 5 messages" 2000719 fifo $models/fifo.ioa --sort Node=3
row "Raft's election, 3 servers" "" raft $models/raft.ioa --sort Server=3
row "9 queens in columns" 8394 "queens N=9" $models/queens-columns.ioa --sort Col=9
row "12 queens in columns" 856189 "queens N=12" $models/queens-columns.ioa --sort Col=12
row "9 queens on a board" 8394 "queens N=9" $models/queens-board.ioa --sort Line=9
row "10 philosophers" 1860497 philosophers $models/philosophers.ioa --sort Phil=10
row "a directory and 4 caches" "" caches $models/caches.ioa --sort Cache=4
row "a register on 4 servers" "" messages/register $models/messages/register.ioa --sort Server=4 --sort Client=2
row "a lease for 4 nodes" "" messages/lease $models/messages/lease.ioa --sort Node=4
row "a composition of 16 components" "" messages/service $models/messages/service.ioa --automaton Service --sort Node=5
row "Raft's election, 3 terms" "" messages/raft $models/messages/raft.ioa --sort Server=3
row "termination of 4 nodes" "" messages/diffusing $models/messages/diffusing.ioa --sort Node=4
row "3 subscribers" "" messages/pubsub $models/messages/pubsub.ioa --sort Node=3
row "reliable broadcast, 3 nodes" "" messages/broadcast $models/messages/broadcast.ioa --sort Node=3
row "a snapshot of 3 accounts" "" messages/snapshot $models/messages/snapshot.ioa --sort Node=3
row "3 users in 2 chat rooms" "" messages/chat $models/messages/chat.ioa --sort User=3 --sort Room=2
row "a token among 4 nodes" "" messages/token $models/messages/token.ioa --sort Node=4
row "6 caches on a bus" "" messages/mesi $models/messages/mesi.ioa --sort Cache=6
row "5 transactions, 3 locks" "" messages/locks $models/messages/locks.ioa --sort Transaction=5 --sort Item=3
row "gossip of 3 nodes" "" messages/gossip $models/messages/gossip.ioa --sort Node=3
row "the bully algorithm, 4 nodes" "" protocols/bully $models/protocols/bully.ioa --sort Node=4
row "credits of 3 nodes" "" protocols/credits $models/protocols/credits.ioa --sort Node=3
row "selective repeat" "" protocols/selective $models/protocols/selective.ioa
row "consensus of 3 nodes" "" protocols/consensus $models/protocols/consensus.ioa --sort Node=3
row "causal broadcast, 3 nodes" "" protocols/causal $models/protocols/causal.ioa --sort Node=3
row "viewstamped replication" "" protocols/viewstamped $models/protocols/viewstamped.ioa
row "Paxos for two slots" "" protocols/multipaxos $models/protocols/multipaxos.ioa --sort Acceptor=3
row "2 browsers and a server" "" protocols/web $models/protocols/web.ioa --automaton Web --sort Client=2
row "snapshot isolation, 3 transactions" "" protocols/versions $models/protocols/versions.ioa --sort Transaction=3
row "routes along paths" "" protocols/routing $models/protocols/routing.ioa
row "a replicated set, 3 replicas" "" protocols/replicated-set $models/protocols/replicated-set.ioa --sort Replica=3
row "4 workers that steal tasks" "" protocols/stealing $models/protocols/stealing.ioa --sort Worker=4
row "serial numbers far apart" 1835008 serials $models/serials.ioa
row "a chain of 4 replicas" "" protocols/chain $models/protocols/chain.ioa --automaton Chain --sort Node=4

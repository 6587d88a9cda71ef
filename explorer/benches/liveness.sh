#!/usr/bin/env bash
# Decides liveness properties with ioa and, where it can be had, with TLC on the module that `ioa export tla` writes, one after
# the other on this machine, each on two threads. The numbers of states and the verdicts have to be the same, or it fails.
#
#     TLC=COMMAND explorer/benches/liveness.sh
#
# TLC is called as `tlc` if nothing is said. IOA=FILE takes that binary instead of building one. Times are CPU seconds of whole
# processes, in user and system mode, of one run each. Each property is decided by itself, since TLC shows one violation alone.
# The steps of TLC's executions are those up to the first state of the repeated part that comes again.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ -z "${IOA:-}" ]; then cargo build --release --quiet -p workbench; fi
ioa=${IOA:-$PWD/target/release/ioa}
tlc=${TLC:-tlc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

# Runs a command, whose exit status says what it found, and prints its CPU seconds; what it says goes into files.
seconds() {
  { time { "$@" > "$work/said" 2> "$work/complaint" || true; }; } 2>&1 | awk '{ printf "%.2f\n", $1 + $2 }'
}

# A number from a JSON document, where it comes first.
field() { sed -nE "s/.*\"$1\": *([0-9]+).*/\1/p" "$2" | head -n 1; }

# What TLC says of a property of an automaton that has been exported: holds or violated, the number of states, and the steps
# of the execution.
tlc_said() {
  local states steps
  states=$(sed -nE 's/.* generated, ([0-9,]+) distinct states found, 0 states left.*/\1/p' "$work/said" | tail -n 1 | tr -d ,)
  steps=$(grep -cE '^State [0-9]+: |^Back to state' "$work/said" || true)
  if grep -q "Temporal properties were violated" "$work/said"; then
    if grep -q "Stuttering" "$work/said"; then steps=$((steps - 1)); fi
    echo "violated ${states:-none} $((steps - 1))"
  elif grep -q "No error has been found" "$work/said"; then
    echo "holds ${states:-none} 0"
  else
    cat "$work/said" >&2; echo "wrong none 0"
  fi
}

row() {
  local automaton=$1 property=$2 ours verdict states steps theirs name; shift 2
  ours=$(seconds "$ioa" explore "$@" --automaton "$automaton" --only "$property" --allow-deadlock --threads 2 --json)
  cp "$work/said" "$work/ours.json"
  verdict=holds
  if grep -q '"verdict": "violated"' "$work/ours.json"; then verdict=violated; fi
  states=$(field distinct_states "$work/ours.json")
  steps=$(awk '/"kind": "liveness"/ { on = 1 } on' "$work/ours.json" | sed -nE 's/.*"steps": *([0-9]+).*/\1/p' | head -n 1)
  printf '%-18s %-22s %9s states  %-8s  ioa %7.2f s' "$automaton" "$property" "$states" "$verdict" "$ours"
  if command -v "${tlc%% *}" > /dev/null; then
    local out=$work/module said
    rm -rf "$out"
    "$ioa" export tla "$@" --automaton "$automaton" --out "$out" > /dev/null
    # The property of a monitor has the name of the module, and is given another one there.
    name=$(sed -nE "s/^(${property}(_2)?) ==.*/\1/p" "$out/$automaton.tla")
    sed -i '/^PROPERTIES/,/^[A-Z]/{/^  /d}' "$out/$automaton.cfg"
    sed -i "s/^PROPERTIES/PROPERTIES\n  $name/; /^INVARIANTS/,/^[A-Z]/{/^INVARIANTS/d; /^  /d}" "$out/$automaton.cfg"
    theirs=$(cd "$out" && seconds $tlc -workers 2 -deadlock "$automaton.tla")
    read -r said counted length < <(tlc_said)
    printf ', TLC %7.2f s: ioa is %.0f times as fast' "$theirs" "$(awk -v t="$theirs" -v o="$ours" 'BEGIN { print t / o }')"
    if [ "$verdict" = violated ]; then printf '; steps of the execution: %s, TLC %s' "${steps:-?}" "$length"; fi
    if [ "$said" != "$verdict" ] || { [ "$counted" != none ] && [ "$counted" != "$states" ]; }; then
      echo; echo "$automaton, $property: TLC says $said in $counted states" >&2; exit 1
    fi
  fi
  echo
}

for nodes in 5 6 7; do
  for property in Detects Ends; do
    row Ewd840 $property explorer/benches/models/ewd840.ioa --sort "Node=$nodes"
  done
done
row Careless AllNodes case-studies/chord
row Careful AllNodesCarefully case-studies/chord
row Careless OneTree case-studies/randtree
row Careful OneTreeCarefully case-studies/randtree
row Careless AllJoined case-studies/pastry
row Careful AllJoinedCarefully case-studies/pastry
row Careless AllAcked case-studies/reliable-transport
row Careful AllAckedCarefully case-studies/reliable-transport
row Original Original case-studies/extent-manager

#!/bin/sh
# The second oracle: TLC counts the states of every model in the table of docs/oracles.md, which is printed with what
# `ioa explore` and TLC count now. Needs `tlc` on the PATH, or TLC and IOA set to what to call.
#
#   cargo build --release && exporters/tests/tlc.sh
#
# With two numbers it compares the random models from the first number to the second instead, and shows where the counts
# differ:
#
#   cargo build --release --workspace --examples --bins && exporters/tests/tlc.sh 1 1000
#
# Not compared are models that go wrong, at which TLC may look in another order, and those of very many states.
set -eu
cd "$(dirname "$0")/../.."
ioa=${IOA:-target/release/ioa}
tlc=${TLC:-tlc}
random=${RANDOM_MODEL:-target/release/examples/random_model}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The files of a model: a folder or a file as it stands, or a listing of a chapter, as chapter#file.
files() {
  case $1 in
    *'#'*)
      listing=${1#*#}
      awk -v listing="% $listing" '
        /^```ioa/ { getline; on = $0 == listing || $0 == listing " continued" }
        /^```$/   { on = 0 }
        on' "${1%%#*}" > "$work/$listing"
      echo "$work/$listing" ;;
    *) echo "$1" ;;
  esac
}

ours() {
  "$ioa" explore "$@" --allow-deadlock --keep-going --json 2>/dev/null |
    sed -n 's/.*"distinct_states": \([0-9]*\).*/\1/p' | head -n 1
}

theirs() {
  out="$work/out"
  rm -rf "$out"
  "$ioa" export tla "$@" --out "$out" > "$work/said" 2>&1 || { echo 'not exported'; return; }
  module=$(ls "$out" | sed -n "s/^\($automaton\(_2\)\{0,1\}\)\.tla$/\1/p" | head -n 1)
  (cd "$out" && "$tlc" -deadlock -continue "$module.tla" 2>&1) |
    sed -n 's/.* generated, \([0-9,]*\) distinct states found, 0 states left.*/\1/p' | tail -n 1
}

# The rows of the table, with what is counted now.
table() {
  grep '^| `' docs/oracles.md | while IFS='|' read -r _ model automaton sizes _; do
    model=$(echo "$model" | tr -d '` ')
    automaton=$(echo "$automaton" | tr -d '` ')
    sizes=$(echo "$sizes" | tr -d '`')
    set -- "$(files "$model")" --automaton "$automaton"
    interpretation=1
    for size in $sizes; do
      case $size in
        interpretation=*) interpretation=${size#*=} ;;
        *) set -- "$@" --sort "$size" ;;
      esac
    done
    set -- "$@" --interpretation "$interpretation"
    echo "| \`$model\` | \`$automaton\` | $(echo $sizes) | $(ours "$@") | $(theirs "$@") |"
  done
}

# Whether all states of a model can be visited, and are not too many.
explorable() {
  "$ioa" explore "$@" --allow-deadlock --keep-going --states 3000 --json 2>/dev/null |
    grep -m 1 '"verdict"' | grep -q '"explored"'
}

# The random models from one number up to another.
random_models() {
  automaton=Random
  compared=0 different=0 left=0
  for seed in $(seq "$1" "$2"); do
    "$random" "$seed" > "$work/random.ioa"
    set -- "$work/random.ioa" --sort Node=2 --sort Ballot=2
    if ! explorable "$@"; then
      left=$((left + 1))
      continue
    fi
    set -- "$@" --interpretation 1
    ours=$(ours "$@") theirs=$(theirs "$@")
    compared=$((compared + 1))
    if [ "$ours" != "$theirs" ]; then
      different=$((different + 1))
      echo "model $seed: ioa counts $ours states, TLC ${theirs:-none}"
    fi
  done
  echo "$compared compared, $different different, $left left out"
}

case $# in
  0) table ;;
  2) random_models "$1" "$2" ;;
  *) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac

#!/bin/sh
# The second oracle: TLC counts the states of every model in the table of docs/oracles.md, which is printed with what
# `ioa explore` and TLC count now. Needs `tlc` on the PATH, or TLC and IOA set to what to call.
#
#   cargo build --release && exporters/tests/tlc.sh
set -eu
cd "$(dirname "$0")/../.."
ioa=${IOA:-target/release/ioa}
tlc=${TLC:-tlc}
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

grep '^| `' docs/oracles.md | while IFS='|' read -r _ model automaton sizes _; do
  model=$(echo "$model" | tr -d '` ')
  automaton=$(echo "$automaton" | tr -d '` ')
  sizes=$(echo "$sizes" | tr -d '`')
  set -- "$(files "$model")" --automaton "$automaton"
  for size in $sizes; do set -- "$@" --sort "$size"; done
  echo "| \`$model\` | \`$automaton\` | $(echo $sizes) | $(ours "$@") | $(theirs "$@") |"
done

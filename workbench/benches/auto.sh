#!/bin/bash
# Lemmas found by `ioa prove --auto` for the models beside this file, none of which states any.
#
# Usage: workbench/benches/auto.sh [--horizon] [IOA [NAME...]]
# IOA is the program, target/release/ioa if none is given; each NAME is a model of the folder `auto` or `horizon`. If none is given, those are
# all models of `auto`; with --horizon, they are the 29 on which Goel and Sakallah compare IC3PO with other tools (On Symmetry and
# Quantification, NFM 2021), six of which are in `auto`.
# A search that has not ended after four minutes is ended. The outputs are written to a folder of their own, which is named at the end.
set -u
here=$(cd "$(dirname "$0")" && pwd)
models=$here/auto
also=
if [ "${1:-}" = --horizon ]; then
  shift
  models=$here/horizon
  also='client_server_ae firewall lockserv simple_decentralized_lock toy_consensus_forall two_phase_commit'
fi
ioa=$(realpath "${1:-$here/../../target/release/ioa}")
shift
out=$(mktemp -d)
export IOA_CACHE= # Nothing is remembered from one model to the next.
TIMEFORMAT='%U %S %R'

[ $# -gt 0 ] || set -- $(cd "$models" && ls | sed 's/\.ioa$//') $also
printf '%-30s %-9s %6s %8s %8s  %s\n' model verdict lemmas cpu wall how
for name in "$@"; do
  model=$(ls "$here"/{auto,horizon}/"$name.ioa" 2>/dev/null | head -1)
  { time timeout -k 10 240 "$ioa" prove "$model" --auto >"$out/$name.txt" 2>"$out/$name.err"; } 2>"$out/$name.time"
  case $? in
    0) verdict=proved ;;
    1) verdict=violated ;;
    3) verdict=open ;;
    124 | 137) verdict=late ;;
    *) verdict=failed ;;
  esac
  lemmas=$(grep -c '^invariant Lemma' "$out/$name.txt")
  how=$(grep '^│ lemmas ' "$out/$name.txt" | head -1 | sed -E 's/^([^┆]*┆){4} *[0-9]+ lemmas?: //; s/ *┆.*$//')
  read -r user system wall < <(tail -1 "$out/$name.time")
  cpu=$(awk -v u="$user" -v s="$system" 'BEGIN { printf "%.1f", u + s }')
  printf '%-30s %-9s %6s %8s %8.1f  %s\n' "$name" "$verdict" "$lemmas" "$cpu" "$wall" "$how"
done
echo "outputs: $out"

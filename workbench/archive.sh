#!/usr/bin/env bash
# Makes a release archive: the program with the solver's library beside it, completions for shells, manual pages, and
# the licences. Whoever unpacks it needs nothing else, neither Rust nor Python nor this checkout.
#
#     workbench/archive.sh [FOLDER]
#
# The archive is written into FOLDER (target/archive if nothing is said) and its path is printed. PROFILE=dev packs a
# development build, which is quicker to make. At the end the archive is unpacked elsewhere and tried.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-target/archive}
profile=${PROFILE:-release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cargo build --quiet --profile "$profile" --workspace --bins >&2
built=${CARGO_TARGET_DIR:-target}/$([ "$profile" = dev ] && echo debug || echo "$profile")/ioa
version=$("$built" --version | sed -n 's/^ioa //p')
name=ioa-$version-$(rustc -vV | sed -n 's/^host: //p')
root=$work/$name

mkdir -p "$root"/{completions,man,licences}
install -m 755 "$built" "$root/ioa"
strip "$root/ioa"
library=$(ldd "$built" | awk '/libz3/ { print $3 }')
install -m 755 "$library" "$root/$(basename "$library")"
for shell in bash zsh fish; do "$built" completions "$shell" > "$root/completions/ioa.$shell"; done
"$built" man "$root/man" > /dev/null
cp LICENSE "$root/licences/ioa.txt"
# Z3 is under the same licence, but its wheel does not carry the text.
sed 's/^Copyright .*/Copyright (c) Microsoft Corporation/' LICENSE > "$root/licences/z3.txt"
cat > "$root/README" << 'TEXT'
The IOA workbench. Put this folder anywhere and call the `ioa` in it, or make a symbolic link to it from a folder of
your PATH. The library beside it belongs to it: keep the two together.

    ./ioa new my-lock        writes a first study
    ./ioa verify my-lock     runs, explores and proves it

`completions` has scripts for bash, zsh and fish, and `man` has the manual pages (man -l man/ioa.1).
TEXT

# Unpacked under another name, without any variable of this shell, the program has to find the library beside itself.
mkdir -p "$folder" "$work/elsewhere"
archive=$folder/$name.tar.gz
tar -C "$work" -czf "$archive" "$name"
tar -C "$work/elsewhere" --strip-components 1 -xzf "$archive"
mv "$root" "$root.gone"
cd "$work/elsewhere"
used=$(env -i ldd ./ioa | awk '/libz3/ { print $3 }')
if [ "$(realpath "$used")" != "$(realpath "$work/elsewhere")/$(basename "$library")" ]; then
  echo "the program in the archive takes the library from $used" >&2
  exit 1
fi
env -i ./ioa new lock > /dev/null
env -i ./ioa verify lock > tried.txt || { cat tried.txt >&2; exit 1; }
cd - > /dev/null
echo "$archive"

#!/bin/bash
# expect_fault.sh COMPILER INCLUDE_FOLDER SOURCE
#
# Passes where SOURCE compiles with -DGOOD, does not compile without, and the compiler's output then has a line for each
# regular expression that the source names in a comment "// EXPECT: <regex>". Lists of characters are joined to words
# first, and quotation marks made plain.
set -u
compiler=$1 include=$2 source=$3
command=("$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -Werror -I "$include" "$source")

if ! output=$("${command[@]}" -DGOOD 2>&1); then
  printf '%s\n' "$output" "FAILED: the good variant of $source does not compile"
  exit 1
fi
if output=$("${command[@]}" 2>&1); then
  echo "FAILED: $source compiles"
  exit 1
fi
expected=$(sed -n 's|^// EXPECT: ||p' "$source")
if [[ -z $expected ]]; then
  echo "FAILED: $source does not say what to expect"
  exit 1
fi
words=$(sed "s/[‘’]/'/g; s/', '//g" <<<"$output")
while IFS= read -r regex; do
  if ! grep -Eq -- "(error: |instantiation of ).*($regex)" <<<"$words"; then
    printf '%s\n' "$words" "FAILED: no line matches: $regex"
    exit 1
  fi
done <<<"$expected"

#!/usr/bin/env bash
# Installs Ballast into a fresh folder, then configures, builds and runs examples/cmake_project against it.
#
#   cmake_project.sh CMAKE GENERATOR COMPILER BUILD_TYPE SOURCE_DIR BUILD_DIR WORK_DIR CHECKPOINT
set -euo pipefail
cmake=$1 generator=$2 compiler=$3 build_type=$4 source=$5 build=$6 work=$7 checkpoint=$8

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# $1: a folder below $work to build in.
configure() {
  "$cmake" -S "$work/engine" -B "$work/$1" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_BUILD_TYPE="$build_type" -DCMAKE_PREFIX_PATH="$work/prefix"
}

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/installed"

# Everything public is there, and nothing points back to where it was built.
diff <(cd "$source/include" && find . -name '*.hpp' | sort) \
     <(cd "$work/installed/include" && find . -name '*.hpp' | sort) || fail 'the installed headers are not those of include/'
mapfile -t package < <(find "$work/installed" -name '*.cmake')
[[ ${#package[@]} -gt 0 ]] || fail 'no CMake package files were installed'
if grep --fixed-strings -e "$source" -e "$build" "${package[@]}"; then fail 'the package names the build'; fi
# Move it: an installation may be packed and unpacked elsewhere.
mv "$work/installed" "$work/prefix"

# A copy, so that the example can find nothing relative to this repository.
cp -R "$source/examples/cmake_project" "$work/engine"
configure build
"$cmake" --build "$work/build"
run() { "$work/build/$1" "${@:2}" | tee "$work/output"; }
run engine "$checkpoint"
grep -q '^built with Ballast [0-9].*; policy llama$' "$work/output" || fail 'the example does not say its version'
grep -q '^transformer_layer_1\.qkv_w F16 \[' "$work/output" || fail 'the example does not list its parameters'
run token_table "$checkpoint"
grep -q '^table F16 \[48, 97\], 9312 of ' "$work/output" || fail 'a policy of its own does not load what it declares'
run seed_oss "$work/engine/tiny_seed_oss"

# Before 1.0 another minor version is another interface: the package must not pass for one.
sed -i 's/find_package(ballast 0\.1 /find_package(ballast 0.0 /' "$work/engine/CMakeLists.txt"
if configure build-older >"$work/older.log" 2>&1; then fail 'the package passes for version 0.0'; fi
grep -q 'version: 0\.1\.' "$work/older.log" || fail "asking for version 0.0 failed for another reason: $(cat "$work/older.log")"

# The command-line tool, where this build has it.
if [[ -x $build/bin/ballast ]]; then "$work/prefix/bin/ballast" --version; fi

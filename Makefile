# The commands of this repository, over the presets in CMakePresets.json. `make help` lists them.
#
# Each target first installs what it needs and is missing (Debian 12 packages; quick when all is there).
# BALLAST_SKIP_DEPS=1 leaves that out, for a machine that has the tools from elsewhere.

PREFIX ?= /usr/local
SANITIZERS := asan-ubsan tsan
PRESETS := clang debug $(SANITIZERS)

.DEFAULT_GOAL := help
.PHONY: help demo build test $(PRESETS) bench format tidy install clean
# The build folder is shared, and Ninja is parallel already.
.NOTPARALLEL:

help:
	@echo 'make demo         build, fetch two real models, check and load them'
	@echo 'make build        the library and build/bin/ballast'
	@echo 'make test         build and run all tests'
	@echo 'make clang        the same, with clang'
	@echo 'make debug        the same, without optimisation'
	@echo 'make asan-ubsan   the same, with the address and undefined-behaviour sanitizers'
	@echo 'make tsan         the same, with the thread sanitizer'
	@echo 'make bench        build and run the benchmarks'
	@echo 'make format       format all C++ in place'
	@echo 'make tidy         run clang-tidy'
	@echo 'make install      install to PREFIX (default: $(PREFIX))'
	@echo 'make clean        remove build/, downloaded models included'

demo:
	@scripts/install-deps build demo
	@scripts/demo

# A fresh build folder is configured without tests, so that building does not need what only they need. One that has
# them keeps them.
build:
	@scripts/install-deps build
	@test -f build/CMakeCache.txt || cmake --preset release -DBALLAST_BUILD_TESTS=OFF
	cmake --build --preset release --target ballast_cli

test:
	@scripts/install-deps build test
	cmake --preset release -DBALLAST_BUILD_TESTS=ON
	cmake --build --preset release
	ctest --preset release

$(PRESETS):
	@scripts/install-deps build test
	cmake --preset $@
	cmake --build --preset $@
	ctest --preset $@

bench:
	@scripts/install-deps build bench
	cmake --preset release -DBALLAST_BUILD_BENCH=ON
	cmake --build --preset release
	@set -e; for program in build/bin/bench_*; do \
	  test -x "$$program" || { echo 'there are no benchmarks yet'; break; }; \
	  echo "== $$program"; "$$program"; \
	done

format:
	@scripts/install-deps dev
	@scripts/format

tidy:
	@scripts/install-deps build test dev
	cmake --preset tidy
	@scripts/tidy

install: build
	cmake --install build --prefix "$(PREFIX)"

clean:
	rm -rf build

# shellcheck shell=bash
# llama-server of llama.cpp, whose sources come inside the source archive of a Python package: Debian 12 has none. It is a peer of tests, and
# no part of Talon. Sourced, never run.

llama_release=llama-cpp-python==0.3.36
llama_hash=832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e
# Waits between attempts to fetch it.
llama_waits=(0 2 5)
# Any processor, no library beside it, and no TLS: it listens at 127.0.0.1.
llama_options=(
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-O1 -DBUILD_SHARED_LIBS=OFF -DCMAKE_EXE_LINKER_FLAGS=-static
  -DGGML_NATIVE=OFF -DGGML_OPENMP=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_WEBUI=OFF
  -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF
)

# fetch_llama FOLDER: pip takes no archive but the one with this hash.
fetch_llama() {
  local wait
  printf '%s --hash=sha256:%s\n' "$llama_release" "$llama_hash" > "$1/wanted"
  for wait in "${llama_waits[@]}"; do
    sleep "$wait"
    /usr/bin/python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --no-binary llama-cpp-python \
      --require-hashes -r "$1/wanted" -d "$1" > "$1/log" 2>&1 && return 0
  done
  die "cannot fetch $llama_release: $(tail -1 "$1/log")"
}

# Leaves .deps/llama/llama-server, a static program. Takes a quarter of an hour.
prepare_llama() {
  local folder=$deps/llama fresh=$deps/llama.new
  [[ -f $folder/wanted && $(< "$folder/wanted") == "$llama_release --hash=sha256:$llama_hash" ]] && return 0
  say "fetching $llama_release"
  install_packages cmake ninja-build g++ python3-pip
  rm -rf "$fresh"
  mkdir -p "$fresh/source"
  fetch_llama "$fresh"
  tar -xzf "$fresh"/*.tar.gz -C "$fresh/source" --strip-components=3 --wildcards '*/vendor/llama.cpp/*'
  grep -q '^MIT License' "$fresh/source/LICENSE" || die "the licence of $llama_release is not where it was"
  say "building llama-server"
  cmake -S "$fresh/source" -B "$fresh/build" -G Ninja "${llama_options[@]}" > "$fresh/log" 2>&1 || die "cmake failed: see $fresh/log"
  ninja -C "$fresh/build" llama-server >> "$fresh/log" 2>&1 || die "the build failed: see $fresh/log"
  cp "$fresh/build/bin/llama-server" "$fresh/source/LICENSE" "$fresh"
  rm -rf "$fresh"/*.tar.gz "$fresh/source" "$fresh/build" "$folder"
  mv "$fresh" "$folder"
}

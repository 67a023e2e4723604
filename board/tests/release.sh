#!/usr/bin/env bash
# A release, from the tag to a system that installs it: the workflow is played by board/workflow in a copy of the scripts, with small made-up
# firmware, images and packages in place of those that take hours; everything after them is real. Then what a release brings is looked at and
# tampered with: the lists of parts, the list for Raspberry Pi Imager, notes, checksums, signatures, the site, and the script `get`.
#
#   board/tests/release.sh
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/project.sh"

wants_help "$@" && { usage; exit; }

workflows=("$root"/.github/workflows/*.yml)
actionlint=$deps/actionlint/actionlint

commit() { git -C "$clone" -c user.name=Test -c user.email=test@board.invalid -c commit.gpgsign=false commit -q --allow-empty -m "$1"; }

# plant NAME: what is read becomes this script of the copy.
plant() {
  cat > "$clone/$1"
  chmod +x "$clone/$1"
}

# copy_scripts: the scripts of this clone with a history of their own, and what takes hours made up.
copy_scripts() {
  mkdir -p "$clone"
  (cd "$root" && git ls-files -zco --exclude-standard board images .github README.md LICENSE docs/owners/install.md Sources/talon/Version.swift \
    | xargs -0 cp --parents -t "$clone")
  ln -s "$deps" "$clone/.deps"
  plant board/firmware <<'SCRIPT'
#!/bin/bash
cd "$(dirname "$0")/.."
mkdir -p ".out/$1" && cp made-up/parts made-up/NOTICE ".out/$1" && echo "program of $1" > ".out/$1/talon" && echo symbols > ".out/$1/talon.debug"
SCRIPT
  plant board/package <<'SCRIPT'
#!/bin/bash
for pair in x86_64:amd64 aarch64:arm64; do
  tree=$(mktemp -d)
  install -D "$(dirname "$0")/../.out/${pair%:*}/talon" "$tree/usr/bin/talon"
  mkdir "$tree/DEBIAN"
  printf 'Package: talon\nVersion: 0.1.0+1\nArchitecture: %s\nMaintainer: x <x@board.invalid>\nDescription: x\n' "${pair#*:}" > "$tree/DEBIAN/control"
  dpkg-deb --root-owner-group -b "$tree" "$2/talon_0.1.0+1_${pair#*:}.deb" > /dev/null
  rm -r "$tree"
done
SCRIPT
  plant board/docs <<'SCRIPT'
#!/bin/bash
[[ $1 == --into ]] && mkdir -p "$2" && echo "handbook of this commit" > "$2/index.html"
SCRIPT
  plant images/build <<'SCRIPT'
#!/bin/bash
[[ $2 == --out && $4 == --version && $6 == --trust && $(cat "$7") == certificate ]] || exit 1
case $1 in pi3) name=arm64 ;; pi2) name=armhf ;; pi1) name=armel ;; *) exit 1 ;; esac
mkdir -p "$3" && { echo "image of $name, $5"; head -c 3000000 /dev/zero; } > "$3/talon-$name.img" && xz -k "$3/talon-$name.img"
echo 'base-files 12' > "$3/packages-$name"
SCRIPT
  plant images/bundle <<'SCRIPT'
#!/bin/bash
[[ $(cat "$5") == key ]] && echo "update of $1" > "$9"
SCRIPT
  plant_parts
  git -C "$clone" init -q
  git -C "$clone" add -A
  commit "Begin"
  git -C "$clone" tag v0.0.9
  commit "The first thing <works> & stays"
  commit "The second thing"
  commit "The third thing"
  git -C "$clone" tag "$tag"
}

# plant_parts: the rows and the NOTICE of a firmware in which a library of each kind was linked, by the functions of board/firmware.
plant_parts() (
  source "$root/board/lib/script.sh"
  source "$root/board/lib/quirc.sh"
  source "$root/board/lib/voice.sh"
  source "$root/board/lib/notice.sh"
  deps=$bench/deps swift_resources=$bench/swift/lib/swift architecture=amd64 swift_version=6.3.1 talon_version=0.1.0
  system=$bench/system-root
  mkdir -p "$system/files" "$system/root/usr/share/doc/libssl-dev" "$swift_resources" "$bench/swift/share/swift" "$clone/made-up"
  mkdir -p "$deps"/{alsa,quirc,voice,harfbuzz}
  echo "Apache 2.0" > "$bench/swift/share/swift/LICENSE.txt"
  echo "libssl-dev 3.0.19-1~deb12u2+x" > "$system/packages"
  echo "./usr/lib/libssl.a" > "$system/files/libssl-dev"
  echo "its licence" | tee "$system/root/usr/share/doc/libssl-dev/copyright" "$deps"/{alsa,harfbuzz}/COPYING "$deps"/{quirc,voice}/LICENSE > /dev/null
  printf '%s\n' "$system/root/usr/lib/libssl.a(ssl.o)" /x/libshaper.a /x/{CALSA,CQuirc,CVoiceModel}.build/x.o > "$bench/linked"
  linked_parts "$system" "$bench/linked" > "$clone/made-up/parts"
  notice "$system" "$clone/made-up/parts" > "$clone/made-up/NOTICE"
)

make_secrets() {
  mkdir -p "$bench/secrets" "$bench/programs"
  minisign -G -W -f -s "$bench/secrets/TALON_SIGNING_KEY" -p "$bench/known.pub" > /dev/null
  minisign -G -W -f -s "$bench/other.key" -p "$bench/other.pub" > /dev/null
  make_key ours
  make_key other
  mv "$bench/ours.asc" "$bench/secrets/TALON_APT_KEY"
  echo key > "$bench/secrets/TALON_UPDATE_KEY"
  echo certificate > "$bench/secrets/TALON_UPDATE_CERTIFICATE"
  make_github
}

# make_github: a `gh` that knows nine earlier releases: six that our key has signed, one that another key has, one whose handbook is not what
# was signed, and one without a handbook. It keeps what is published.
make_github() {
  local name key
  for name in 0.0.{9..1}; do
    key=$bench/secrets/TALON_SIGNING_KEY
    mkdir -p "$bench/releases/v$name" "$bench/old/$name"
    echo "handbook of $name" > "$bench/old/$name/index.html"
    tar -C "$bench/old" -cJf "$bench/releases/v$name/talon-handbook-$name.tar.xz" "$name"
    (cd "$bench/releases/v$name" && sha256sum talon-handbook-*) > "$bench/sums"
    mv "$bench/sums" "$bench/releases/v$name/SHA256SUMS"
    [[ $name != 0.0.8 ]] || key=$bench/other.key
    [[ $name != 0.0.6 ]] || echo "$(sha256sum < "$bench/known.pub" | cut -d ' ' -f 1)  talon.pub" > "$bench/releases/v$name/SHA256SUMS"
    minisign -S -s "$key" -m "$bench/releases/v$name/SHA256SUMS" > /dev/null
  done
  echo x >> "$bench/releases/v0.0.7/talon-handbook-0.0.7.tar.xz"
  cat > "$bench/programs/gh" <<SCRIPT
#!/bin/sh
case "\$1 \$2" in
  api*) printf 'v%s\n' "${tag#v}" 9.9.9-rc1 0.0.9 0.0.8 0.0.7 0.0.6 0.0.5 0.0.4 0.0.3 0.0.2 0.0.1 ;;
  'release download')
    from=$bench/releases/\$3 to=\$7
    shift 7
    while [ "\$1" = --pattern ]; do cp "\$from/\$2" "\$to"; shift 2; done ;;
  *) printf '%s\n' "\$@" > "$bench/published" ;;
esac
SCRIPT
  chmod +x "$bench/programs/gh"
}

make_key() {
  mkdir -m 700 "$bench/gnupg.$1"
  GNUPGHOME=$bench/gnupg.$1 gpg --batch --quiet --passphrase '' --quick-generate-key "Test $1 <test@board.invalid>" ed25519 sign never 2> /dev/null
  GNUPGHOME=$bench/gnupg.$1 gpg --batch --quiet --armor --export-secret-keys > "$bench/$1.asc"
  GNUPGHOME=$bench/gnupg.$1 gpgconf --kill gpg-agent
}

serve() {
  mkdir -p "$release/pages"
  : > "$bench/web.log"
  python3 -m http.server --bind 127.0.0.1 --directory "$release/pages" 0 > "$bench/web.log" 2>&1 &
  wait_for 10 grep -q 'port [0-9]' "$bench/web.log" || die "the web server does not start"
  address=http://127.0.0.1:$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$bench/web.log")
}

# in_workflow COMMAND...: with the environment of one, and no key.
in_workflow() {
  env -u TALON_SIGNING_KEY PATH="$bench/programs:$PATH" GITHUB_ACTIONS=true GITHUB_REF_TYPE=tag GITHUB_REF_NAME="$tag" \
    GITHUB_REPOSITORY=somebody/talon TALON_ADDRESS="$address/files" TALON_PAGES="$address" TALON_RELEASE="$release" "$@"
}

plays() {
  in_workflow "$clone/board/workflow" "$clone/.github/workflows/release.yml" --in "$clone" --tag "$tag" --secrets "$bench/secrets" > "$bench/played" 2>&1 \
    || { cat "$bench/played" >&2; return 1; }
}
release() { in_workflow "$clone/board/release" "$@"; }
fails_with() { ! "${@:2}" > "$bench/failed" 2>&1 && says "$bench/failed" "$1"; }

# only_our_scripts: of what board/workflow --list shows, each command is a script of this repository.
only_our_scripts() {
  local file
  for file in "${workflows[@]}"; do "$root/board/workflow" "$file" --list; done | grep -v '^  left out: ' | sed -n 's/^  [^:]*: //p' > "$bench/commands"
  ! grep -vE '^(board/(release|prepare)|\.ci/run)( [a-z0-9_-]+)*$' "$bench/commands" && (( $(grep -c '^board/release' "$bench/commands") > 12 ))
}
pinned() { ! grep -hE '^ +-? *uses:' "${workflows[@]}" | grep -vE '@v[0-9]+\.[0-9]+\.[0-9]+$'; }
no_key_inside() { ! grep -rnE 'BEGIN (PGP|OPENSSH|RSA|EC|PRIVATE)|RWRTY0Iy' "${workflows[@]}" "$root/board/project"; }

# workflow_of TEXT: board/workflow on a made-up file.
workflow_of() { printf '%b' "$1" > "$bench/workflow.yml"; "$root/board/workflow" "$bench/workflow.yml" --in "$bench" "${@:2}"; }
runs_in_order() {
  rm -f "$bench/said"
  workflow_of 'jobs:\n  b: {needs: a, steps: [{run: "echo b >> said"}]}\n  a:\n    strategy: {matrix: {n: [1, 2]}}
    steps: [{run: "echo a$N >> said", env: {N: "${{ matrix.n }}"}}]\n' > /dev/null && [[ $(paste -sd ' ' "$bench/said") == 'a1 a2 b' ]]
}
ends_with() { local code=0; workflow_of "${@:2}" > "$bench/ended" 2>&1 || code=$?; [[ $code == "$1" ]]; }

finds_faults() {
  printf 'on: push\njobs:\n  one:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ matrix.nothing }}\n' > "$bench/wrong.yml"
  fails_with nothing "$actionlint" -no-color -shellcheck= -pyflakes= "$bench/wrong.yml"
}

component_names() { jq -r '.metadata.component.description, .components[].description' "$release/files/talon-$number-x86_64.cdx.json"; }
# What stands over a line of = in the NOTICE, but for the note at its end and the licences that are told once.
heading_names() { awk '/^=+$/ { print before } { before = $0 }' "$clone/made-up/NOTICE" | sed '/^On the GNU C Library/,$d'; }
names_all_parts() { diff <(component_names) <(heading_names) >&2 && (( $(component_names | wc -l) == 8 )); }
has_structure() {
  jq -e '.bomFormat == "CycloneDX" and .specVersion == "1.5" and .version == 1
    and (.serialNumber | test("^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"))
    and (.metadata.timestamp | fromdateiso8601 > 0) and .metadata.component.type == "application"
    and ([.components[], .metadata.component] | all(.name != "" and .version != "" and (.purl | test("^pkg:[a-z]+/[^+ ]+@[^+ ]+$"))))
    and ([.components[]["bom-ref"]] | length == (unique | length))
    and ([.components[] | .licenses // [] | .[] | (.license.id // .expression)] | all(. != "-") and length > 3)
    and ([.dependencies[].ref] | sort) == ([.metadata.component, .components[]] | map(.["bom-ref"]) | sort)
    and (.dependencies[0].dependsOn | length) == (.components | length)' "$1" > /dev/null
}
has_the_hash() { [[ $(jq -r '.metadata.component.hashes[0].content' "$1") == $(sha256sum < "$2" | cut -d ' ' -f 1) ]]; }

# lists_image ARCHITECTURE TAGS: the entry has what the compressed file holds, counted by other programs.
lists_image() {
  local file=$release/files/talon-$number-$1.img.xz
  jq -e --arg url "$address/files/${file##*/}" --arg sum "$(xz -dc "$file" | sha256sum | cut -d ' ' -f 1)" --argjson size "$(xz -dc "$file" | wc -c)" \
    --argjson packed "$(stat -c %s "$file")" --argjson tags "$2" '.os_list[] | select(.url == $url) | .extract_sha256 == $sum and .extract_size == $size
    and .image_download_size == $packed and (.devices | sort) == ($tags | sort) and (.release_date | test("^20[0-9]{2}-[0-9]{2}-[0-9]{2}$"))
    and ([.name, .description, .icon, .init_format] | all(. != "" and . != null))' "$release/files/os_list.json" > /dev/null
}
# Every board of the list of images is a device of Imager with one of the entry's tags.
lists_boards() {
  jq -e '[.os_list[].devices[]] as $tags | [.imager.devices[] | select(.tags != [])] | length >= 4 and all(any(.tags[]; IN($tags[])))' \
    "$release/files/os_list.json" > /dev/null
}

notes_in_order() {
  diff <(grep '^- ' "$release/notes.md") <(printf -- '- %s\n' "The first thing &lt;works&gt; &amp; stays" "The second thing" "The third thing") >&2
}
has_all_files() {
  local name
  for name in {x86_64,aarch64,armv7,armv6}{,-debug}.tar.xz {x86_64,armv6}.cdx.json {arm64,armhf,armel}.{img.xz,raucb,packages}; do
    grep -q "  talon-$number-$name\$" "$release/files/SHA256SUMS" || { say "no $name"; return 1; }
  done
  grep -q '_arm64.deb$' "$release/files/SHA256SUMS"
}
# A statement about each file, with its sum.
states_provenance() {
  jq -e --arg commit "$(git -C "$clone" rev-parse HEAD)" '.predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit == $commit' \
    "$release/files/talon-$number.intoto.json" > /dev/null \
    && diff <(jq -r '.subject[] | "\(.digest.sha256)  \(.name)"' "$release/files/talon-$number.intoto.json") "$release/files/SHA256SUMS" > /dev/null
}

# shows PATH TEXT: the site has a page that says so.
shows() { [[ $(curl -sfL "$address/$1") == "$2" ]]; }
has_choice() {
  [[ $(jq -c '[.[] | [.version, .aliases[]]]' "$release/pages/handbook/versions.json") == "[[\"$number\",\"latest\"],$(printf '["0.0.%s"],' 9 5 4 3 2 | sed 's/,$//')]" ]]
}

# tampers FILE TEXT: with a byte more in this file of a copy of the release, verification fails so.
tampers() {
  rm -rf "$bench/tampered"
  cp -r "$release/files" "$bench/tampered"
  echo x >> "$bench/tampered/$1"
  fails_with "$2" release verify --key "$bench/known.pub" "$bench/tampered"
}

makes_the_same() {
  local before
  before=$(sha256sum "$release"/files/{*.json,SHA256SUMS,*x86_64.tar.xz})
  release firmware x86_64 && release sbom && release os-list && release checksums && release provenance || return 1
  [[ $before == "$(sha256sum "$release"/files/{*.json,SHA256SUMS,*x86_64.tar.xz})" ]]
}

# The words of README for a place that is known, and back.
writes_words() {
  sed -i 's|^repository=.*|repository=https://example.org/a/talon|' "$clone/board/project"
  "$clone/board/release" words || return 1
  says "$clone/README.md" 'board from <!-- releases -->[the releases of Talon](https://example.org/a/talon/releases)<!-- end -->' || return 1
  sed -i 's|^repository=.*|repository=|' "$clone/board/project"
  "$clone/board/release" words && cmp -s "$clone/README.md" "$root/README.md" && cmp -s "$clone/docs/owners/install.md" "$root/docs/owners/install.md"
}

# get ARGUMENT...: the script of the site in a system of its own, whose apt is this machine's with other folders, and only downloads.
get() {
  rm -rf "$bench/system"
  mkdir -p "$bench/system"/etc/apt/{sources.list.d,preferences.d,apt.conf.d,trusted.gpg.d} \
    "$bench/system"/var/{lib/{apt/lists/partial,dpkg},cache/apt/archives/partial}
  : > "$bench/system/var/lib/dpkg/status"
  cat > "$bench/programs/apt-get" <<SCRIPT
#!/bin/sh
[ "\$3" != install ] || set -- -q -y --download-only install talon
exec $(command -v apt-get) -o Dir="$bench/system" -o Dir::State::status="$bench/system/var/lib/dpkg/status" -o APT::Architecture=amd64 \\
  -o APT::Architectures=amd64 -o APT::Sandbox::User="$(id -un)" -o Acquire::http::Proxy=false "\$@"
SCRIPT
  chmod +x "$bench/programs/apt-get"
  PATH=$bench/programs:$PATH sh "$release/pages/get" --root "$bench/system" "$@" > "$bench/got" 2>&1
}
gets() { get "$@" || { cat "$bench/got" >&2; return 1; }; }
# get_fails_with TEXT ARGUMENT...: it says so, and has written nothing.
get_fails_with() {
  ! get "${@:2}" && says "$bench/got" "$1" || return 1
  [[ ! -e $bench/system/usr/share/keyrings/talon.asc && ! -e $bench/system/etc/apt/sources.list.d/talon.sources ]]
}
got_package() { cmp "$bench/system"/var/cache/apt/archives/talon_*_amd64.deb "$release"/files/talon_*_amd64.deb; }
cut_does_nothing() {
  head -c -20 "$release/pages/get" > "$bench/cut"
  ! sh "$bench/cut" --root "$bench/cut-system" > "$bench/cut.log" 2>&1 && [[ ! -e $bench/cut-system ]]
}

begin "$out/test/release"
clone=$bench/clone release=$bench/release
number=$(sed -n 's/.*static let number = "\(.*\)"/\1/p' "$root/Sources/talon/Version.swift")
tag=v$number
"$root/board/prepare" release
make_secrets
copy_scripts
serve

claim "actionlint finds a fault that is planted" finds_faults
claim "and none in our workflows" "$actionlint" -no-color -pyflakes= "${workflows[@]}"
claim "every action is pinned by its full version" pinned
claim "they call our scripts and nothing else" only_our_scripts
claim "and hold no key" no_key_inside
claim "a workflow is played in the order of its needs, once for each value of a matrix" runs_in_order
claim "a step that fails ends it" ends_with 1 'jobs:\n  a: {steps: [{run: "exit 3"}]}\n'
claim "so does what is not known here" ends_with 64 'jobs:\n  a: {steps: [{run: "echo ${{ hashFiles(1) }}"}]}\n'
claim "and a condition, which nothing here can judge" ends_with 64 'jobs:\n  a: {steps: [{run: "true", if: "always()"}]}\n'
claim "an action is left out" ends_with 0 'jobs:\n  a: {steps: [{uses: some/action@v1.2.3}]}\n'
claim "and named" says "$bench/ended" 'left out: the action (some/action@v1.2.3)'

claim "the workflow of a release is played" plays
claim "it has every file" has_all_files
claim "and publishes them" says "$bench/published" "SHA256SUMS.minisig"
claim "under its tag" says "$bench/published" "$tag"
claim "with the notes in the order of the commits" notes_in_order
claim "the list of parts names those of the NOTICE" names_all_parts
claim "in the form of CycloneDX 1.5" has_structure "$release/files/talon-$number-x86_64.cdx.json"
claim "for the file that it is about" has_the_hash "$release/files/talon-$number-armv7.cdx.json" "$clone/.out/armv7/talon"
claim "Imager's list has the image of 64 bits, as its bytes are" lists_image arm64 '["pi3-64bit","pi4-64bit"]'
claim "and that of 32 bits" lists_image armhf '["pi2-32bit","pi3-32bit"]'
claim "and that of a Pi 1 and Zero" lists_image armel '["pi1-32bit"]'
claim "and each board, which one of them is for" lists_boards
claim "provenance is stated of each file" states_provenance
claim "the release is signed by the key that its owner knows" release verify --key "$bench/known.pub"
claim "a changed file is found" tampers "talon-$number-arm64.img.xz" "a file is not what the release has"
claim "changed checksums" tampers SHA256SUMS "the signature of SHA256SUMS is not that of the key"
claim "changed provenance" tampers "talon-$number.intoto.json" "the signature of talon-$number.intoto.json"
claim "another key" fails_with "is not that of the key" release verify --key "$bench/other.pub"
claim "the same inputs give the same bytes" makes_the_same
claim "the site has its handbook" shows handbook/latest/ "handbook of this commit"
claim "and that of an earlier release" shows handbook/0.0.9/ "handbook of 0.0.9"
claim "and five of them, without those that another key has signed, or that were changed, or that are not there" has_choice
claim "which it names" eval 'says "$bench/played" "the handbook of v0.0.8 is left out" && says "$bench/played" "the handbook of v0.0.7 is left out"'
claim "the first page leads to the handbook" says "$release/pages/index.html" 'href="handbook/latest/"'
claim "a workflow without its key signs nothing" fails_with "no secret TALON_SIGNING_KEY" release sign
claim "a tag that is not the program's version is refused" fails_with "Version.swift says" \
  env GITHUB_REF_TYPE=tag GITHUB_REF_NAME=v9.9.9 "$clone/board/release" version
claim "a list for Imager without an address is refused" fails_with "set TALON_ADDRESS" env TALON_RELEASE="$release" "$clone/board/release" os-list
claim "documents have the words for where releases are" writes_words

claim "get installs from the site of the release" gets
claim "the package of the release" got_package
claim "and says what is next" says "$bench/got" "Next: sudo talon connect"
claim "another key than the one that is meant is refused" get_fails_with "signed by another key" --key "$(printf 'AB%.0s' {1..20})"
cp -r "$release/pages/apt" "$release/pages/forged"
"$root/board/repository" --key "$bench/other.asc" "$release/pages/forged" "$release"/files/talon_*.deb 2> /dev/null
claim "so is a repository that somebody else has signed" get_fails_with "signed by another key" --address "$address/forged"
cp "$release/pages/apt/talon.asc" "$release/pages/forged/talon.asc"
claim "with our key beside it, too" get_fails_with "is not signed by its key" --address "$address/forged"
cp "$release/pages/apt/dists/stable/InRelease" "$release/pages/forged/dists/stable/InRelease"
sed -i 's/^Suite: stable/Suite: stabel/' "$release/pages/forged/dists/stable/InRelease"
claim "a changed index is refused" get_fails_with "is not signed by its key" --address "$address/forged"
claim "an address where nothing is" get_fails_with "cannot be fetched" --address "$address/nothing"
claim "a download that was cut does nothing" cut_does_nothing

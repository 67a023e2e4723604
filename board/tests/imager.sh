#!/usr/bin/env bash
# The first start of a card after the dialogue of Raspberry Pi Imager: files as its versions write them, and as they would be with a hostile or a
# broken drive, give the network, the name, the time zone and the layout of keyboards, or are left out as a whole; nothing of the drive is run.
# The scripts of the image run in the image's own shell.
#
#   board/tests/imager.sh
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

wants_help "$@" && { usage; exit; }

scripts=$root/images/root/usr/lib/talon-image
bench=$out/test/imager
psk=$(printf '0123456789abcdef%.0s' 1 2 3 4)
busybox=$deps/vm/root/bin/busybox

# drive FILE TEXT [FILE TEXT]...: a drive with these files and no other.
drive() {
  rm -rf "$bench/drive"
  mkdir -p "$bench/drive"
  while (( $# )); do printf '%b' "$2" > "$bench/drive/$1"; shift 2; done
}

# starts: what the start of the image makes of the drive. Its exit code is that of network-setup, what was said is in $bench/said.
starts() {
  rm -rf "$bench/run"
  mkdir -p "$bench/run"
  : > "$bench/network.conf"
  [[ ! -f $bench/drive/network.conf ]] || cp "$bench/drive/network.conf" "$bench/network.conf"
  (cd "$bench/run" && "$busybox" sh "$scripts/imager-setup" "$bench/drive" "$bench/run/imager") 2> "$bench/errors" || return 2
  (cd "$bench/run" && "$busybox" sh "$scripts/network-setup" "$bench/network.conf" "$bench/run" talon-1234 "$bench/run/imager/network" \
    "$bench/code") > "$bench/said" 2>> "$bench/errors"
}
quiet() { [[ ! -s $bench/said && ! -s $bench/errors ]] || { cat "$bench/said" "$bench/errors" >&2; return 1; }; }
wifi_says() { says "$bench/run/wpa_supplicant.conf" "$1"; }
named() { [[ $(< "$bench/run/hostname") == "$1" ]]; }
in_zone() { [[ $(readlink "$bench/run/localtime") == /usr/share/zoneinfo/$1 ]]; }
types() { [[ $(cat "$bench/run/imager/keyboard" 2> /dev/null) == "$1" ]]; }
hex() { printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n'; }

# has NAME ZONE LAYOUT SSID LINE COUNTRY: all of that, and nothing to complain of.
has() {
  quiet && named "$1" && in_zone "$2" && types "$3" && wifi_says "ssid=$(hex "$4")" && wifi_says "$5" && wifi_says "country=$6"
}
# is_plain: a cable with DHCP, under the usual name, in the usual zone.
is_plain() { named talon-1234 && in_zone Etc/UTC && [[ ! -e $bench/run/wpa_supplicant.conf ]]; }
# left_out TEXT: that is said, and what Imager left counts for nothing, but for the layout.
left_out() { starts && says "$bench/said" "$1" && says "$bench/said" "is not used" && is_plain; }

# Imager 1.8 and 1.9 for an image of the format "cloudinit": no `network:`, the country in commands and on the kernel's line.
version_1() {
  drive user-data "#cloud-config\nhostname: barn\nmanage_etc_hosts: true\npackages:\n- avahi-daemon\napt:\n  conf: |\n    Acquire {
      Check-Date \"false\";\n    };\n\nusers:\n- name: pi\n  groups: users,adm,sudo\n  shell: /bin/bash\n  lock_passwd: false
  passwd: \$5\$abc\$def\n\ntimezone: Europe/Zurich\nruncmd:\n- sed -i 's/^s*REGDOMAIN=S*/REGDOMAIN=CH/' /etc/default/crda || true
- localectl set-x11-keymap \"gb\" pc105\n- setupcon -k --force || true\n\n" \
    network-config "version: 2\nwifis:\n  renderer: networkd\n  wlan0:\n    dhcp4: true\n    optional: true\n    access-points:
      \"Barn net\":\n        password: \"$psk\"\n        hidden: true\n" \
    cmdline.txt "panic=10 cfg80211.ieee80211_regdom=CH\n"
}
# Imager 2: the layout by itself, the country of the radio beside its network.
version_2() {
  drive user-data "#cloud-config\nhostname: mast-7\nmanage_etc_hosts: true\npackages:\n- avahi-daemon\napt:\n  conf: |\n    Acquire {
      Check-Date \"false\";\n    };\ntimezone: America/New_York\nkeyboard:\n  model: pc105\n  layout: \"de\"\nenable_ssh: true
users:\n- name: pi\n  groups: users,adm,sudo\n  shell: /bin/bash\n  lock_passwd: true\n  ssh_authorized_keys:\n    - ssh-ed25519 AAAA x
  sudo: ALL=(ALL) NOPASSWD:ALL\nrpi:\n  interfaces:\n    serial: true\n" \
    network-config "network:\n  version: 2\n  wifis:\n    wlan0:\n      dhcp4: true\n      regulatory-domain: \"US\"\n      access-points:
        \"Say \\\\\"hi\\\\\": #1\":\n          password: \"$psk\"\n      optional: true\n"
}
# Imager 2.0 of the first months: the password in a block of its own, and a line for the cable.
version_2_0() {
  drive user-data "#cloud-config\nhostname: shed\n" network-config "network:\n  version: 2\n  ethernets:\n    eth0:\n      dhcp4: true
  wifis:\n    wlan0:\n      dhcp4: true\n      regulatory-domain: \"FR\"\n      access-points:\n        \"Atelier\":\n          hidden: true
          auth:\n            key-management: psk\n            password: \"une phrase\"\n      optional: true\n"
}
custom() {
  drive custom.toml "config_version = 1\n\n[system]\nhostname = \"pond\"\n\n[user]\nname = \"pi\"\npassword = \"secret\"\npassword_encrypted = false
\n[ssh]\nenabled = true\n\n[wlan]\nssid = \"Pond \\\\\\\\ net\"\npassword = \"a passphrase = long\"\npassword_encrypted = false\nhidden = false
country = \"gb\"\n\n[locale]\nkeymap = \"it\"\ntimezone = 'Europe/Rome'\n"
}

# by_windows: each file with carriage returns and a byte-order mark.
by_windows() {
  local file
  for file in "$bench"/drive/*; do sed -i 's/$/\r/; 1s/^/\xef\xbb\xbf/' "$file"; done
}

# Files that say what a program would do with more power: nothing of it comes to be.
hostile() {
  # shellcheck disable=SC2016
  drive user-data 'hostname: $(touch run)\nruncmd:\n- touch run-2\n- localectl set-x11-keymap "de$(touch run-3)" pc105\n' \
    firstrun.sh '#!/bin/sh\ntouch run-4\n' cmdline.txt 'x systemd.run=/boot/firstrun.sh cfg80211.ieee80211_regdom=`id`\n'
}
nothing_ran() { [[ $(find "$bench/run" -name 'run*' | wc -l) == 1 ]]; }

# survives COUNT: files of Imager with bytes changed, lines lost and cut: each start ends, and gives a name, a zone and a cable at least.
survives() {
  local number
  for (( number = 0; number < $1; number++ )); do
    "version_$(( number % 2 + 1 ))"
    python3 - "$number" "$bench"/drive/* << 'PYTHON'
import random, sys
generator = random.Random(int(sys.argv[1]))
for path in sys.argv[2:]:
    data = bytearray(open(path, "rb").read())
    for _ in range(generator.randrange(1, 6)):
        at = generator.randrange(len(data))
        if generator.random() < 0.6: data[at] = generator.randrange(256)
        elif generator.random() < 0.5: del data[at:at + generator.randrange(40)]
        else: data[at:at] = data[:generator.randrange(60)]
        data = data or bytearray(b"x")
    open(path, "wb").write(data)
PYTHON
    starts || { say "file $number"; return 1; }
    [[ $(< "$bench/run/hostname") =~ ^[A-Za-z0-9-]+$ && -L $bench/run/localtime && -f $bench/run/systemd/network/20-wired.network ]] || return 1
    [[ ! -e $bench/run/wpa_supplicant.conf ]] || grep -qE '^country=[A-Z]{2}$' "$bench/run/wpa_supplicant.conf" || return 1
  done
}

rm -rf "$bench"
mkdir -p "$bench"
[[ -x $busybox ]] || "$root/board/prepare" vm

drive
claim "a drive of which Imager asked nothing is as ever" starts
claim "a cable, and no word" eval "is_plain && types '' && quiet"
version_1
claim "Imager 1.9" starts
claim "gives name, zone, layout and Wi-Fi" has barn Europe/Zurich uk "Barn net" "psk=$psk" CH
claim "hidden as it is" wifi_says scan_ssid=1
by_windows
claim "the same with Windows' ends of lines" starts
claim "gives the same" has barn Europe/Zurich uk "Barn net" "psk=$psk" CH
version_2
claim "Imager 2" starts
claim "does, with quotes and signs in the network's name" has mast-7 America/New_York de 'Say "hi": #1' "psk=$psk" US
version_2_0
claim "Imager 2.0" starts
claim "with the password as it was typed" has shed Etc/UTC '' Atelier 'psk="une phrase"' FR
custom
claim "custom.toml" starts
claim "as well" has pond Europe/Rome it 'Pond \ net' 'psk="a passphrase = long"' GB

version_2
printf '[board]\nhostname = mine\n[wifi]\npassphrase = my own one\nssid = Mine\ncountry = CH\n' > "$bench/drive/network.conf"
claim "what a person writes into network.conf" starts
claim "counts more" has mine America/New_York de Mine 'psk="my own one"' CH
printf '[time]\nzone = Asia/Tokyo\n' > "$bench/drive/network.conf"
claim "one that says something else" starts
claim "changes that alone" has mast-7 Asia/Tokyo de 'Say "hi": #1' "psk=$psk" US
printf '[time]\nzone = ../../etc/shadow\n' > "$bench/drive/network.conf"
claim "a zone that leads elsewhere is refused" eval '! starts'
claim "with its line" says "$bench/said" "line 2: zone"

version_2
printf '# a checksum\n[wifi]\nssid = "\342\200\234Code\342\200\235"\npassphrase = "of the code"\n' > "$bench/code"
claim "the network of a code that network.conf does not allow" starts
claim "counts for nothing" has mast-7 America/New_York de 'Say "hi": #1' "psk=$psk" US
printf '[wifi]\ncamera = yes\naddress = 192.0.2.9/24\n' > "$bench/drive/network.conf"
claim "one that it allows" starts
claim "takes the place of Imager's, with the quotes of its name" has mast-7 America/New_York de '“Code”' 'psk="of the code"' US
claim "and the code is looked for" eval '[[ -e $bench/run/wifi-camera &&
  -L $bench/run/systemd/system/multi-user.target.wants/talon-wifi-code.path ]]'
claim "its address is asked for" says "$bench/run/systemd/network/30-wifi.network" DHCP=yes
printf '[wifi]\nssid = Code\npassphrase = short\n' > "$bench/code"
claim "a broken one" starts
claim "is left out, and that is said" says "$bench/said" "the network of the Wi-Fi code is not used"
claim "and the others count" wifi_says "ssid=$(hex 'Say "hi": #1')"
rm "$bench/code"

version_1
sed -i 's/REGDOMAIN=CH//' "$bench/drive/user-data"
rm "$bench/drive/cmdline.txt"
claim "a network without a country is left out, and that is said" left_out "[wifi] needs country"
rm "$bench/drive/network-config"
sed -i 's/^hostname:.*/hostname: no name/' "$bench/drive/user-data"
starts
claim "a name that is none, too" says "$bench/said" "of Raspberry Pi Imager: hostname"
hostile
claim "a drive with commands" starts
claim "runs none of them" nothing_ran
claim "which leaves the usual name and no layout" eval "is_plain && types ''"
claim "24 broken files do no harm" survives 24

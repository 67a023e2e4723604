# shellcheck shell=bash
# Modules that Debian does not build, for the kernel of board/vm, from its own packages. Sourced after debian.sh, never run.
#
#   v4l2loopback   cameras whose pictures a program writes, whatever its bytes are (package v4l2loopback-dkms)
#   vkms           a display card without hardware (linux-source), with one parameter more: `status` is 1 while something is connected
#                  to it, 2 while nothing is, and 3 while nobody knows. A change is an event, as on a card with a line for that.
#   gpio-sim       GPIO chips with any labels and names of lines, whose inputs are pulled (linux-source)
#
# The kernel's headers are only unpacked, beside the sources, and nothing of either is kept: the modules alone lie with those of
# the kernel, in its folder `updates`, where modprobe and depmod find them. They are under the GPL, as the kernel is; nothing of
# Talon is linked with them.

vm_packages=(linux-image-amd64 busybox-static)
module_tools=(gcc-12 make libc6-dev libelf1 binutils xz-utils)
# What is taken out of linux-source.
source_files=(drivers/gpio/{gpio-sim.c,gpiolib.h} kernel/irq/irq_sim.c
  drivers/gpu/drm/vkms/vkms_{drv.h,drv.c,plane.c,output.c,formats.h,formats.c,crtc.c,composer.c,writeback.c})

# known_version PACKAGE: the newest that the index has, as it was fetched last.
known_version() { foreign_apt amd64 apt-cache show --no-all-versions "$1" | sed -n 's/^Version: //p'; }

# kernel_package: name and version of the kernel that was fetched.
kernel_package() { grep '^linux-image-' "$deps/vm/packages"; }

# modules_wanted: whatever changes them.
modules_wanted() {
  kernel_package
  known_version v4l2loopback-dkms
  recipe kernel-modules.sh
}

# module_packages: headers and sources of exactly this kernel, and what is of no kernel alone.
module_packages() {
  local name version series
  read -r name version < <(kernel_package)
  name=${name#linux-image-}
  series=$(cut -d. -f1,2 <<< "$version")
  printf '%s\n' "linux-headers-$name=$version" "linux-headers-${name%-*}-common=$version" "linux-source-$series=$version" \
    "linux-kbuild-$series" v4l2loopback-dkms
}

# are_known PACKAGE...: the index has them all.
are_known() {
  local package
  for package; do [[ $(foreign_apt amd64 apt-cache show "$package" 2> /dev/null) ]] || return 1; done
}

# take_sources DEB FOLDER: what is needed of the kernel's sources, all in one folder. Reading ends with the last of them, of which those
# that write complain.
take_sources() {
  local file name
  name=$(dpkg-deb -f "$1" Package)
  { dpkg-deb --fsys-tarfile "$1" | tar -xO "./usr/src/$name.tar.xz" | xz -dc \
    | tar -x -C "$2" --occurrence=1 --transform='s|.*/||' "${source_files[@]/#/$name/}"; } 2> /dev/null || true
  for file in "${source_files[@]}"; do [[ -s $2/${file##*/} ]] || die "there is no $file in $name"; done
}

# edit FILE SED...: each of these changes the file, or this is not the source that it is written for.
edit() {
  local file=$1 change; shift
  for change in "$@"; do
    cp "$file" "$file.before"
    sed -i "$change" "$file"
    ! cmp -s "$file" "$file.before" || die "${file##*/} is not as board/lib/kernel-modules.sh expects it: $change"
    rm "$file.before"
  done
}

# A card of whose connector the parameter `status` decides.
connect_by_parameter() {
  edit "$1/vkms_output.c" '/^#include <drm\/drm_simple_kms_helper.h>/r /dev/stdin' <<'C'

static unsigned int status = connector_status_connected;
static struct drm_device *card;

static int set_status(const char *text, const struct kernel_param *parameter)
{
	int result = param_set_uint_minmax(text, parameter, connector_status_connected, connector_status_unknown);

	if (!result && card)
		drm_helper_hpd_irq_event(card);
	return result;
}

static const struct kernel_param_ops status_ops = { .set = set_status, .get = param_get_uint };
module_param_cb(status, &status_ops, &status, 0644);

static enum drm_connector_status detect(struct drm_connector *connector, bool force)
{
	return status;
}
C
  edit "$1/vkms_output.c" 's/^\t\.fill_modes = .*/&\n\t.detect = detect,/' \
    's/^\tdrm_mode_config_reset(dev);/&\n\tconnector->polled = DRM_CONNECTOR_POLL_HPD;\n\tdrm_kms_helper_poll_init(dev);\n\tcard = dev;/'
  edit "$1/vkms_drv.c" 's/^\tdrm_dev_unregister(&config->dev->drm);/&\n\tdrm_kms_helper_poll_fini(\&config->dev->drm);/'
}

# The simulated interrupts of a kernel that has none: a module may not ask for a descriptor by its number.
interrupt_by_data() { edit "$1/irq_sim.c" 's/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/'; }

# make_modules FOLDER: from the packages in FOLDER/debs to FOLDER/made.
make_modules() {
  local folder=$1 deb headers file
  mkdir -p "$folder"/{root,made,source}
  for deb in "$folder"/debs/*.deb; do
    if [[ ${deb##*/} == linux-source-* ]]; then take_sources "$deb" "$folder/source"; else dpkg-deb -x "$deb" "$folder/root"; fi
    rm "$deb"
  done
  headers=$(echo "$folder"/root/usr/src/linux-headers-*-amd64)
  edit "$headers/Makefile" 's|include /usr/src/|include ../|'
  cp "$folder"/root/usr/src/v4l2loopback-*/*.[ch] "$folder/source"
  # A module has the name of no file of which it is made.
  mv "$folder/source/gpio-sim.c" "$folder/source/chips.c"
  connect_by_parameter "$folder/source"
  interrupt_by_data "$folder/source"
  cat > "$folder/source/Makefile" <<'MAKE'
obj-m := v4l2loopback.o vkms.o gpio-sim.o
vkms-y := vkms_drv.o vkms_plane.o vkms_output.o vkms_formats.o vkms_crtc.o vkms_composer.o vkms_writeback.o
gpio-sim-y := chips.o irq_sim.o
MAKE
  make -C "$headers" -j "$(nproc)" M="$folder/source" modules > "$folder/log" 2>&1 \
    || { tail -n 25 "$folder/log" >&2; die "the kernel's modules cannot be built"; }
  for file in "$folder"/source/*.ko; do strip --strip-debug -o "$folder/made/${file##*/}" "$file"; done
}

# prepare_kernel: leaves .deps/vm, and the modules with the kernel's own. Whole or not at all.
prepare_kernel() {
  local fresh=$deps/modules.new wanted folder packages
  unpack "$deps/vm" amd64 "${vm_packages[@]}"
  [[ -f $deps/apt/amd64/sources.list ]] || open_index amd64
  wanted=$(modules_wanted)
  folder=$(echo "$deps"/vm/root/lib/modules/*)
  [[ -f $folder/updates/wanted && $(< "$folder/updates/wanted") == "$wanted" ]] && return 0
  install_packages "${module_tools[@]}"
  open_index amd64
  mapfile -t packages < <(module_packages)
  if ! are_known "${packages[@]}"; then
    say "Debian has no headers or sources of $(kernel_package) any more; fetching its newest kernel"
    rm "$deps/vm/wanted"
    unpack "$deps/vm" amd64 "${vm_packages[@]}"
    mapfile -t packages < <(module_packages)
    folder=$(echo "$deps"/vm/root/lib/modules/*)
  fi
  wanted=$(modules_wanted)
  say "making modules for $(kernel_package)"
  rm -rf "$fresh"
  mkdir -p "$fresh/debs"
  (cd "$fresh/debs" && foreign_apt amd64 apt-get download "${packages[@]}")
  make_modules "$fresh"
  echo "$wanted" > "$fresh/made/wanted"
  # Without its index nobody takes a folder that is half there: whoever finds none makes it (board/vm).
  rm -rf "$folder/updates" "$folder/modules.dep"
  mv "$fresh/made" "$folder/updates"
  PATH=$PATH:/usr/sbin depmod -b "$deps/vm/root" "${folder##*/}"
  rm -rf "$fresh"
}

# shellcheck shell=bash
# The read-only system of an image, made of the unpacked packages ($tree/root), the files in images/root and Talon.

# What no board needs: translations and manuals, shells for completion, interpreters, and tools of packages that nothing
# of ours runs but that others depend on. Licences stay.
# Patterns of the image's names: this machine's have no say (set -f).
set -f
unused_paths=(
  boot usr/share/{man,info,locale,lintian,bug,perl5,bash-completion,zsh,polkit-1,initramfs-tools,pixmaps,menu}
  usr/lib/{klibc,klibc-*.so,NetworkManager,pm-utils,dbus-1.0,binfmt.d,locale,lsb,u-boot} usr/lib/raspi-firmware 'usr/lib/linux-image-*'
  usr/lib/modules-load.d etc/modules-load.d etc/sysctl.d usr/lib/*/gconv usr/lib/*/perl-base usr/bin/dbus-[!d]* usr/bin/openssl usr/bin/perl* usr/lib/*/ossl-modules
  usr/share/dbus-1 etc/dbus-1 etc/init.d etc/rc?.d etc/cron.* etc/initramfs-tools etc/kernel etc/pam.d etc/apt
  etc/default etc/logrotate.d etc/wpa_supplicant var/cache var/lib/apt var/lib/dpkg usr/sbin/update-initramfs
  usr/lib/tmpfiles.d/{dbus,debian,home,journal-nocow,legacy,passwd,provision,systemd-nologin,systemd-pstore,x11}.conf
  usr/lib/systemd/{system-generators,system-environment-generators,user-generators,user-environment-generators,user}
  usr/lib/udev/rules.d/{50-firmware,55-dm,60-autosuspend,60-cdrom_id,60-fido-id,60-infiniband,60-persistent-storage*}.rules
  usr/lib/udev/rules.d/{64-btrfs,70-joystick,70-memory,70-mouse,70-power-switch,70-touchpad,70-uaccess,71-seat}.rules
  usr/lib/udev/rules.d/{73-*,75-probe_mtd,85-hwclock,95-dm-notify,96-e2scrub}.rules
  usr/share/{X11,alsa/ucm} usr/lib/*/espeak-ng-data/{[!e]*_dict,e[!n]*_dict}
  usr/lib/dpkg usr/share/dpkg usr/bin/dpkg* usr/sbin/dpkg* usr/lib/udev/hwdb.d usr/lib/systemd/boot
)

# Kernel modules of machines that no Raspberry Pi is or is plugged into. What USB, SPI, I2C, GPIO and the camera
# connector can bring stays.
unused_modules=(
  arch/x86 net/bluetooth drivers/bluetooth drivers/{accessibility,ata,atm,crypto/{ccp,hisilicon,marvell,qat,caam,amcc,cavium},edac,firewire,fpga,hsi,hv}
  drivers/{hwtracing,infiniband,ipack,message,misc/{habanalabs,genwqe,mei},mtd,nfc,ntb,nvdimm,nvme,parport,pcmcia,perf}
  drivers/md/{bcache,persistent-data,faulty*,linear*,multipath*,md-*,raid*,dm-[!bmv]*,dm-bio*,dm-mi*,dm-mu*}
  drivers/{platform,rapidio,scsi,slimbus,soundwire,target,thunderbolt,ufs,vdpa,vfio,visorbus,xen,block/{drbd,rbd*,zram,aoe,brd*,mtip32xx,null_blk,xen*}}
  drivers/gpu/drm/{amd,ast,bridge,etnaviv,exynos,hisilicon,imx,lima,mediatek,meson,mgag200,msm,nouveau,panfrost,radeon}
  drivers/gpu/drm/{rockchip,sun4i,tegra,ttm,qxl,vmwgfx,omapdrm,armada,i2c,rcar-du,bochs.ko,sti,tilcdc,tidss,stm}
  drivers/media/{pci,firewire,dvb-frontends,dvb-core,mmc,tuners,rc/keymaps,radio,platform,usb/{dvb-usb,dvb-usb-v2,ttusb-*,b2c2}}
  drivers/media/usb/{au0828,cx231xx,em28xx,go7007,hdpvr,pvrusb2,siano,stk1160,tm6000,usbtv,as102,gspca/m5602}
  drivers/net/{arcnet,fddi,hamradio,hyperv,ieee802154,plip,wan,xen-netback,vmxnet3,wwan,thunderbolt*,can/{c_can,ifi_canfd,softing}}
  drivers/net/ethernet/{3com,8390,adaptec,agere,alacritech,allwinner,alteon,altera,amazon,amd,apm,aquantia,arc,atheros}
  drivers/net/ethernet/{brocade,cadence,calxeda,cavium,chelsio,cisco,davicom,dec,dlink,emulex,engleder,ezchip,faraday}
  drivers/net/ethernet/{freescale,fungible,google,hisilicon,huawei,i825xx,intel,marvell,mellanox,micrel,mscc,myricom}
  drivers/net/ethernet/{natsemi,neterion,netronome,ni,nvidia,oki-semi,packetengines,pensando,qlogic,qualcomm,rdc,realtek}
  drivers/net/ethernet/{renesas,rocker,samsung,sfc,silan,sis,smsc,socionext,stmicro,sun,sunplus,tehuti,ti,vertexcom,via}
  drivers/net/ethernet/{wangxun,xilinx,ibm,broadcom/{bnx2*,bnxt,cnic*,tg3*,bgmac*,b44*}}
  drivers/net/wireless/{admtek,intel,quantenna,ti,wl12xx,ath/{ath10k,ath11k,ath12k,ath5k,ath6kl,wcn36xx,wil6210}}
  drivers/net/wireless/{marvell,cisco,microchip,realtek/{rtw89,rtlwifi/rtl81*}}
  fs/{9p,adfs,affs,afs,befs,bfs,btrfs,cachefiles,ceph,coda,cramfs,dlm,ecryptfs,efs,erofs,exofs,f2fs,freevxfs,fscache,gfs2}
  fs/{hfs,hfsplus,hpfs,jffs2,jfs,lockd,minix,netfs,nfs,nfs_common,nfsd,nilfs2,ntfs,ntfs3,ocfs2,omfs,orangefs,pstore,qnx4}
  fs/{qnx6,quota,reiserfs,romfs,smb,sysv,ubifs,udf,ufs,vboxsf,xfs,zonefs}
  net/{6lowpan,9p,appletalk,atm,ax25,batman-adv,caif,ceph,dccp,decnet,hsr,ieee802154,ife,iucv,kcm,l2tp,lapb,mac802154}
  net/{mpls,ncsi,netrom,nfc,openvswitch,phonet,qrtr,rds,rose,rxrpc,sctp,smc,sunrpc,tipc,vmw_vsock,x25,xfrm,dsa}
  net/{sched,netfilter,bridge,ipv4/netfilter,ipv6/netfilter}
  sound/{pci,firewire,isa,soc/{amd,apple,au1x,fsl,hisilicon,intel,jz4740,kirkwood,loongson,mediatek,meson,mxs,pxa,qcom}}
  sound/soc/{rockchip,samsung,sh,sof,spear,sprd,starfive,sti,stm,sunxi,tegra,ti,uniphier,ux500,xilinx}
)
set +f

# Of Debian's Noto fonts the upright sans of these scripts is kept, for Talon shows no other (Sources/Board/Canvas/FontPacks.swift).
font_scripts=(
  Armenian Bengali CJK Cherokee Devanagari Ethiopic Georgian Gujarati Gurmukhi Kannada Khmer Lao Malayalam Math Myanmar Oriya Sinhala
  Symbols Symbols2 Syriac Tamil Telugu Thaana Thai Tifinagh
)

# What our scripts use that only busybox has here.
small_tools=(awk grep sed)

# What systemd starts, of all that its packages bring: devices, names, time, network, files in memory.
wanted_units="
sysinit.target: systemd-journald systemd-udevd systemd-udev-trigger systemd-tmpfiles-setup systemd-sysctl
  systemd-random-seed systemd-modules-load
sockets.target: systemd-journald.socket systemd-journald-dev-log.socket systemd-udevd-control.socket
  systemd-udevd-kernel.socket
timers.target: systemd-tmpfiles-clean.timer talon-log-tail.timer
multi-user.target: systemd-networkd systemd-timesyncd talon-names.path talon-log-end talon-connect talon-update.path
"

# in_work FOLDER: the folder is below $work, which images/build makes and removes again. Nothing is removed before this was asked, for
# images may be built as root: a variable that is empty, or a path that leads elsewhere, ends the build.
in_work() {
  local folder place
  folder=$(realpath -m -- "${work:?is the folder in which an image is made}")
  place=$(realpath -m -- "${1:?is a folder of the image}")
  [[ $folder == *.new && $place == "$folder"/?* ]] || die "$1 is not below the work folder $work: nothing is removed"
}

link_wanted_units() {
  local units=$1/usr/lib/systemd/system word folder=
  in_work "$1"
  rm -rf "$units"/*.wants "$1"/etc/systemd/system/*
  for word in $wanted_units; do
    case $word in
      *:) folder=$units/${word%:}.wants; mkdir -p "$folder"; continue ;;
      *.*) ;;
      *) word=$word.service ;;
    esac
    [[ -f $units/$word ]] || die "no package brings $word"
    ln -s "../$word" "$folder/$word"
  done
  ln -s /usr/lib/systemd/system/multi-user.target "$1/etc/systemd/system/default.target"
  # Imager 1 asks systemd, in cmdline.txt, for a target that runs a script of the drive. No script of it is run (the generator that would is
  # not in the image), and the board starts as ever.
  ln -s /usr/lib/systemd/system/multi-user.target "$1/etc/systemd/system/kernel-command-line.target"
  # No login anywhere: whoever has the card may change it, whoever has the cable talks to Talon. The shell that scripts need is
  # there (/bin/busybox, /bin/sh), but nobody reaches it (close_console).
  for word in getty@ serial-getty@ autovt@ console-getty container-getty@ debug-shell emergency rescue; do
    ln -s /dev/null "$1/etc/systemd/system/$word.service"
  done
}

# close_console ROOT: what a talon.conf says of a shell counts only in an image that was built with one.
close_console() {
  [[ ! $shell ]] || return 0
  mkdir -p "$1/usr/lib/systemd/system/talon-console@.service.d"
  printf '[Service]\nExecStart=\nExecStart=/usr/bin/talon console --baud 115200 --no-shell\n' \
    > "$1/usr/lib/systemd/system/talon-console@.service.d/no-shell.conf"
}

# Users and groups under fixed numbers, so that files on the data partition keep their owners from image to image.
system_groups="systemd-journal:990 render:991 input:992 sgx:993 kvm:994 i2c:995 gpio:996 spi:997"
system_users="messagebus:985 systemd-network:980 systemd-resolve:981 systemd-timesync:982 talon:970 talon-run:971 talon-agent:972 talon-mcp:973"
talon_groups="video dialout i2c gpio spi input audio"

# Every password is locked, and root has no shell.
write_users() {
  local etc=$1/etc word
  sed 's|^\(root:.*\):[^:]*$|\1:/usr/sbin/nologin|' "$1/usr/share/base-passwd/passwd.master" > "$etc/passwd"
  cp "$1/usr/share/base-passwd/group.master" "$etc/group"
  for word in $system_groups $system_users; do echo "${word%:*}:*:${word#*:}:" >> "$etc/group"; done
  for word in $system_users; do
    echo "${word%:*}:*:${word#*:}:${word#*:}::/nonexistent:/usr/sbin/nologin" >> "$etc/passwd"
  done
  for word in $talon_groups; do sed -i "s/^\($word:.*\)$/\1talon/" "$etc/group"; done
  sed 's/^\([^:]*\):.*/\1:*:19000:0:99999:7:::/' "$etc/passwd" > "$etc/shadow"
  chmod 600 "$etc/shadow"
}

prune() {
  local modules
  in_work "$1"
  modules=$(echo "$1"/usr/lib/modules/*/kernel)
  # shellcheck disable=SC2048,SC2086  # patterns
  (cd "$1" && rm -rf ${unused_paths[*]})
  # shellcheck disable=SC2048,SC2086
  (cd "$modules" && rm -rf ${unused_modules[*]})
  find "$1/usr/share/doc" -type f ! -name copyright -delete
  find "$1/usr/share/doc" -depth -type d -empty -delete
  rm -rf "${1:?}"/var/* "$1"/run/* "$1"/tmp/* "$1"/etc/systemd/network/* "$1"/etc/talon
}

# keep_fonts ROOT: removes all fonts but those of $font_scripts, each of which has to be there, and the outlines of emoji (Symbola).
keep_fonts() {
  local fonts=$1/usr/share/fonts wanted=() name
  in_work "$1"
  for name in "${font_scripts[@]}"; do wanted+=(! -name "NotoSans$name-Regular.ttf" ! -name "NotoSans$name-Regular.ttc"); done
  find "$fonts" -type f "${wanted[@]}" ! -name Symbola_hint.ttf -delete
  find "$fonts" -depth -type d -empty -delete
  rm -rf "${1:?}/etc/fonts" "$1/usr/share/fontconfig"
  for name in "${font_scripts[@]}"; do
    compgen -G "$fonts/*/noto/NotoSans$name-Regular.tt[cf]" > /dev/null || die "no package brings a font of $name"
  done
}

# install_talon ROOT: the files of Talon's own Debian package, without its scripts and conffile. The package is made in the work
# folder: two images may be built at a time, and board/package removes what it finds where it puts another.
install_talon() {
  local deb
  in_work "$1"
  "$root/board/package" --into "$work/packages" "$target" >&2
  deb=$(echo "$work/packages/talon_"*"_$architecture.deb")
  [[ -f $deb ]] || die "board/package left no package of $architecture"
  dpkg-deb -x "$deb" "$1"
  rm -rf "$1/etc/talon" "$1"/usr/share/{man,bash-completion,zsh,lintian}
  ln -s ../talon.service "$1/usr/lib/systemd/system/multi-user.target.wants/talon.service"
  # It runs nothing until [run] of talon.conf names a program.
  ln -s ../talon-run.socket "$1/usr/lib/systemd/system/sockets.target.wants/talon-run.socket"
  # It runs nothing until a section [mcp NAME] of talon.conf names a program.
  ln -s ../talon-mcp.socket "$1/usr/lib/systemd/system/sockets.target.wants/talon-mcp.socket"
  # Nobody connects to it until [agent] of talon.conf says so.
  ln -s ../talon-agent.socket "$1/usr/lib/systemd/system/sockets.target.wants/talon-agent.socket"
  ln -s ../talon-recovery.path "$1/usr/lib/systemd/system/multi-user.target.wants/talon-recovery.path"
  # These boards have no clock that runs without power: satellites may set it.
  install -D -m 644 "$root/systemd/talon-clock.conf" "$1/usr/lib/systemd/system/talon.service.d/clock.conf"
  dpkg-deb -f "$deb" Package Version | sed 's/^[^:]*: //' | paste -sd ' ' >> "$1/usr/lib/talon-image/packages"
}

# name_system ROOT: what updates compare, and whom they are believed. Images of one commit and time have one version.
name_system() {
  local folder=$1/usr/lib/talon-image
  # shellcheck disable=SC2154  # images/build
  echo "${version:-$(host_talon version | awk '{ print $2 }')+$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M)}" > "$folder/version"
  echo "talon-$architecture" > "$folder/compatible"
  sed -i "s/@compatible@/talon-$architecture/" "$1/etc/rauc/system.conf"
  # shellcheck disable=SC2154  # images/build
  cp "$certificate" "$folder/update.pem"
}

# drop_orphans ROOT: modules that need one that is gone go as well.
drop_orphans() {
  local modules version gone
  in_work "$1"
  version=$(ls "$1/usr/lib/modules")
  modules=$1/usr/lib/modules/$version
  # Of "module: what it needs": names that are not there make their module not there, until nothing changes.
  gone=$(cd "$modules" && find kernel -name '*.ko' | awk '
    FNR == NR { there[$1] = 1; next }
    { file = substr($1, 1, length($1) - 1); if (file in there) needs[file] = $0 }
    END {
      do {
        changed = 0
        for (file in needs) {
          count = split(needs[file], word, " ")
          for (i = 2; i <= count; i++) if (!(word[i] in there)) {
            print file; delete there[file]; delete needs[file]; changed = 1
            break
          }
        }
      } while (changed)
    }' - modules.dep)
  # shellcheck disable=SC2086  # names of files
  (cd "$modules" && rm -f $gone)
  depmod -b "$1" "$version"
}

# has_module ROOT NAME: the driver is there, with all that it needs.
has_module() { modprobe -C /dev/null -d "$1" -S "$(ls "$1/usr/lib/modules")" --show-depends "$2" > /dev/null 2>&1; }

# make_root FOLDER: everything, as plain files.
make_root() {
  local name
  in_work "$1"
  rm -rf "${1:?}"
  cp -a --reflink=auto "$tree/root" "$1"
  prune "$1"
  keep_fonts "$1"
  drop_orphans "$1"
  # The time is not waited for: what needs it has to do with a wrong one anyhow, on a board without a clock.
  sed -i '/^Before=/d' "$1/usr/lib/systemd/system/systemd-timesyncd.service"
  cp -r --remove-destination "$root/images/root/." "$1"
  link_wanted_units "$1"
  write_users "$1"
  cp "$tree/packages" "$1/usr/lib/talon-image/packages"
  install_talon "$1"
  name_system "$1"
  close_console "$1"
  mkdir -p "$1"/{dev,proc,sys,run,tmp,data,var,etc/talon,boot/firmware,sysroot}
  : > "$1/etc/machine-id"
  : > "$1/etc/fstab"
  ln -sf /run/hostname "$1/etc/hostname"
  ln -sf /run/resolv.conf "$1/etc/resolv.conf"
  ln -sf /proc/self/mounts "$1/etc/mtab"
  ln -sf /run/localtime "$1/etc/localtime"
  for name in "${small_tools[@]}"; do ln -s busybox "$1/usr/bin/$name"; done
  ln -sf regulatory.db-debian "$1/usr/lib/firmware/regulatory.db"
  ln -sf regulatory.db.p7s-debian "$1/usr/lib/firmware/regulatory.db.p7s"
  cat "$1"/usr/share/ca-certificates/mozilla/*.crt > "$1/etc/ssl/certs/ca-certificates.crt"
  hash_certificates "$1"
  printf 'passwd: files\ngroup: files\nshadow: files\nhosts: files dns\n' > "$1/etc/nsswitch.conf"
  printf '127.0.0.1 localhost\n::1 localhost\n' > "$1/etc/hosts"
}

# hash_certificates ROOT: each authority under the hash of its name, so that who needs one reads no other.
hash_certificates() {
  local file hash number
  for file in "$1"/usr/share/ca-certificates/mozilla/*.crt; do
    hash=$(openssl x509 -noout -subject_hash -in "$file") number=0
    while [[ -L $1/etc/ssl/certs/$hash.$number ]]; do number=$(( number + 1 )); done
    ln -s "/usr/share/ca-certificates/mozilla/${file##*/}" "$1/etc/ssl/certs/$hash.$number"
  done
}

# make_squashfs ROOT FILE: everything belongs to root, and is as old as SOURCE_DATE_EPOCH. Level 15 of zstd is read as fast as
# level 1, which counts on a slow processor; xz would be a tenth smaller, and read at a fifth of the speed.
make_squashfs() {
  in_work "$2"
  rm -f "$2"
  mksquashfs "$1" "$2" -quiet -no-progress -noappend -all-root -no-xattrs -no-exports -comp zstd -Xcompression-level 15 \
    -b 128K > /dev/null
}

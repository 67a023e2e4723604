# What U-Boot does on every start: it chooses one of two slots, and starts the kernel of that slot.
#
# Which slot that is stands in a record of 512 bytes, of which the card has two copies (images/lib/layout.sh): the newer one
# whose checksum is right counts, and the older one is written over. So a power cut at any write leaves one of them whole.
# The system reads and writes the same records (usr/lib/talon-image/slot). Numbers are hexadecimal, as itest and setexpr take them.
#
#   seq      counts up with every write
#   primary  a or b: the slot that is started
#   trial    none, or the slot that is being tried
#   left     the starts that the trial may still have
#   a, b     the states of the slots: good, bad, trial, installed, empty
#   last, tried, why   how the last trial ended: confirmed or left, of which slot, and why: starts, time, asked
test -n "${devtype}" || devtype=mmc
test -n "${devnum}" || devnum=0
setenv devtype ${devtype}
setenv devnum ${devnum}
${devtype} dev ${devnum}

setenv newest 0
setenv place 1000
for at in 800 1000; do
  if ${devtype} read ${ramdisk_addr_r} ${at} 1 && env import -c ${ramdisk_addr_r} 200 seq; then
    if itest ${seq} -gt ${newest}; then setenv newest ${seq}; setenv place ${at}; fi
  fi
done
setenv primary a
setenv trial none
setenv a good
setenv b empty
if itest ${newest} -gt 0; then
  ${devtype} read ${ramdisk_addr_r} ${place} 1
  env import -c ${ramdisk_addr_r} 200 primary trial left a b last tried why
fi

setenv slot ${primary}
if test "${trial}" != none; then
  if itest ${left} -gt 0; then
    setexpr left ${left} - 1
    setenv slot ${trial}
  else
    setenv ${trial} bad
    setenv last left
    setenv tried ${trial}
    setenv why starts
    setenv trial none
  fi
  setexpr seq ${newest} + 1
  setenv other 800
  test ${place} = 800 && setenv other 1000
  env export -c -s 200 ${ramdisk_addr_r} seq primary trial left a b last tried why
  ${devtype} write ${ramdisk_addr_r} ${other} 1
fi

# boot.env of the slot has the words for its kernel, and how it is started (booti, bootz). What fails ends the chain.
setenv read_words 'load ${devtype} ${devnum}:${part} ${ramdisk_addr_r} boot.env && env import -t ${ramdisk_addr_r} ${filesize} words start'
setenv read_kernel 'load ${devtype} ${devnum}:${part} ${kernel_addr_r} vmlinuz'
setenv read_ramdisk 'load ${devtype} ${devnum}:${part} ${ramdisk_addr_r} initramfs.zst'
setenv tell_kernel 'fdt addr ${fdt_addr}; setenv bootargs; fdt get value bootargs /chosen bootargs; setenv bootargs "${words} ${bootargs} rauc.slot=${slot}"'
setenv start_slot 'echo talon: slot ${slot}, trial ${trial} ${left}; if test ${slot} = a; then setenv part 5; else setenv part 7; fi; run read_words && run read_kernel && run read_ramdisk && run tell_kernel && ${start} ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${fdt_addr}'

run start_slot
# The kernel cannot be started. In a trial the next start counts it; otherwise the other slot may be whole.
if test "${trial}" = none; then
  if test ${slot} = a; then setenv slot b; setenv state ${b}; else setenv slot a; setenv state ${a}; fi
  test "${state}" = good && run start_slot
fi
sleep 5
reset

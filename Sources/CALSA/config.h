// What alsa-lib's configure script would find out, for static programs: no plug-ins, and no files beside the devices of the kernel.

#ifndef TALON_ALSA_CONFIG_H
#define TALON_ALSA_CONFIG_H

#define VERSION "1.2.8"
#define BUILD_PCM 1
#define BUILD_MIXER 1
#define HAVE_CLOCK_GETTIME 1
#define HAVE_ENDIAN_H 1
#define HAVE___THREAD 1
#define HAVE_LFS 1
#define __SYMBOL_PREFIX ""
#define SND_MAX_CARDS 32
#define ALSA_DEVICE_DIRECTORY "/dev/snd/"
#define ALOAD_DEVICE_DIRECTORY "/dev/"
// No such folders: Talon opens devices of the kernel alone, and reads no asound.conf.
#define ALSA_CONFIG_DIR "/nonexistent"
#define ALSA_PLUGIN_DIR "/nonexistent"
#define TMPDIR "/nonexistent"
#define NDEBUG 1
// Parts are found by the linker, not by their names.
#undef PIC
#define PIC 1

#endif

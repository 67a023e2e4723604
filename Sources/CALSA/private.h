#ifndef TALON_ALSA_PRIVATE_H
#define TALON_ALSA_PRIVATE_H

#include "config.h"

#include <asoundlib.h>
#include <errno.h>

#include "CALSA.h"

// What alsa-lib opens a device of the kernel with, once a name was looked up in its configuration; it is no part of its public face.
int snd_ctl_hw_open(snd_ctl_t **handle, const char *name, int card, int mode);
int snd_pcm_hw_open(
    snd_pcm_t **handle, const char *name, int card, int device, int subdevice, snd_pcm_stream_t stream, int mode,
    int mmap_emulation, int sync_ptr_ioctl);

/// Keeps alsa-lib from writing to standard error.
void tl_sound_quiet(void);

#endif

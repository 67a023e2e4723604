// Sound cards of the kernel, through alsa-lib 1.2: their streams as they are (`hw`), and their mixers. Results are zero or more, or
// a negated errno, as in tl_calls.h. Cards are told apart by numbers that last until one is unplugged.

#ifndef CALSA_H
#define CALSA_H

#include <stdint.h>

/// A card: the number that it has now, its id ("Loopback", "Device"), its name ("USB PnP Sound Device") and where it is ("... at
/// usb-0000:01:00.0-1.2, full speed"). Texts are cut, and end in zero.
typedef struct {
    int32_t number;
    char id[32], name[64], place[96];
} tl_sound_card;

/// A stream's device on a card: its number there and its name ("USB Audio").
typedef struct {
    int32_t number;
    char name[64];
} tl_sound_device;

/// The card with the next number above `after` (-1 for the first); -ENOENT after the last.
int64_t tl_sound_next_card(int32_t after, tl_sound_card *out);
/// The next device above `after` of a card that plays or captures; -ENOENT after the last.
int64_t tl_sound_next_device(int32_t card, int32_t captures, int32_t after, tl_sound_device *out);

/// A stream that is ours until it is closed.
typedef struct tl_pcm tl_pcm;

/// What a stream can be set to: a bit for each `snd_pcm_format_t`, and ranges.
typedef struct {
    uint64_t formats;
    uint32_t rate_least, rate_most, channels_least, channels_most;
} tl_pcm_offer;

/// What a stream is set to; periods and buffers in frames. Rate, channels and sizes are wishes, and then what was made of them.
typedef struct {
    int32_t format;
    uint32_t rate, channels;
    uint64_t period, buffer;
} tl_pcm_setup;

/// Opens a stream without waiting: -EBUSY when somebody has it, -ENODEV or -ENOENT when it is not there.
int64_t tl_pcm_open(int32_t card, int32_t device, int32_t captures, tl_pcm **out);
void tl_pcm_close(tl_pcm *pcm);
int64_t tl_pcm_offers(tl_pcm *pcm, tl_pcm_offer *out);
/// Sets it: the fewest channels from those wished for, the nearest rate that is not below the one wished for, or else the highest.
int64_t tl_pcm_set(tl_pcm *pcm, tl_pcm_setup *setup);
/// Ready when there is something to read, or room to write, or trouble.
int32_t tl_pcm_descriptor(tl_pcm *pcm);
/// Begins to capture, or to play what was written.
int64_t tl_pcm_start(tl_pcm *pcm);
/// Frames read or written, with channels side by side. -EAGAIN: none now; -EPIPE: some were lost; -ESTRPIPE: the board slept;
/// -ENODEV: the card is gone.
int64_t tl_pcm_read(tl_pcm *pcm, void *frames, uint64_t count);
int64_t tl_pcm_write(tl_pcm *pcm, const void *frames, uint64_t count);
/// Frames that were written and are not heard yet.
int64_t tl_pcm_delay(tl_pcm *pcm);
/// Goes on after -EPIPE or -ESTRPIPE. -EAGAIN: the card sleeps still.
int64_t tl_pcm_recover(tl_pcm *pcm, int32_t error);

/// A card's mixer.
typedef struct tl_mixer tl_mixer;

/// A control of a mixer: what it can do, where it is.
typedef struct {
    char name[48];
    int32_t has_volume, has_switch, has_decibels;
    /// Whether its volume, and that in decibels, could be read.
    int32_t knows_value, knows_decibels;
    /// Of the first channel; -1: it cannot be read.
    int32_t is_on;
    int64_t least, most, value;
    /// Hundredths.
    int64_t decibels_least, decibels_most, decibels;
} tl_mixer_control;

int64_t tl_mixer_open(int32_t card, tl_mixer **out);
void tl_mixer_close(tl_mixer *mixer);
/// The control of an index, as far as capture or playback is concerned; -ENOENT after the last, -ENODATA when it has none of that.
int64_t tl_mixer_look(tl_mixer *mixer, int32_t index, int32_t captures, tl_mixer_control *out);
/// Sets all channels of a control.
int64_t tl_mixer_set_volume(tl_mixer *mixer, int32_t index, int32_t captures, int64_t value);
int64_t tl_mixer_set_decibels(tl_mixer *mixer, int32_t index, int32_t captures, int64_t hundredths);
int64_t tl_mixer_set_switch(tl_mixer *mixer, int32_t index, int32_t captures, int32_t is_on);

#endif

#include "private.h"

#include <string.h>

static void ignore(const char *file, int line, const char *function, int error, const char *format, ...) {}

// Every call answers with the reason; alsa-lib would print it as well.
void tl_sound_quiet(void) { snd_lib_error_set_handler(ignore); }

// A byte that is no text is the driver's.
static void copy(char *to, size_t size, const char *from) {
    size_t count = 0;
    for (; count + 1 < size && from[count] != 0; count++) {
        const char byte = from[count];
        to[count] = byte >= 0x20 && byte < 0x7F ? byte : '?';
    }
    to[count] = 0;
}

int64_t tl_sound_next_card(int32_t after, tl_sound_card *out) {
    tl_sound_quiet();
    for (int number = after + 1; number < SND_MAX_CARDS; number++) {
        snd_ctl_t *control;
        if (snd_ctl_hw_open(&control, NULL, number, SND_CTL_NONBLOCK) < 0) continue;
        snd_ctl_card_info_t *info;
        snd_ctl_card_info_alloca(&info);
        const int result = snd_ctl_card_info(control, info);
        snd_ctl_close(control);
        if (result < 0) continue;
        out->number = number;
        copy(out->id, sizeof out->id, snd_ctl_card_info_get_id(info));
        copy(out->name, sizeof out->name, snd_ctl_card_info_get_name(info));
        copy(out->place, sizeof out->place, snd_ctl_card_info_get_longname(info));
        return 0;
    }
    return -ENOENT;
}

int64_t tl_sound_next_device(int32_t card, int32_t captures, int32_t after, tl_sound_device *out) {
    tl_sound_quiet();
    snd_ctl_t *control;
    int result = snd_ctl_hw_open(&control, NULL, card, SND_CTL_NONBLOCK);
    if (result < 0) return result;
    int device = after;
    while ((result = snd_ctl_pcm_next_device(control, &device)) >= 0) {
        if (device < 0) {
            result = -ENOENT;
            break;
        }
        snd_pcm_info_t *info;
        snd_pcm_info_alloca(&info);
        snd_pcm_info_set_device(info, (unsigned)device);
        snd_pcm_info_set_stream(info, captures ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK);
        if (snd_ctl_pcm_info(control, info) < 0) continue;
        out->number = device;
        copy(out->name, sizeof out->name, snd_pcm_info_get_name(info));
        break;
    }
    snd_ctl_close(control);
    return result;
}

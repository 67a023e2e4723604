#include "private.h"

#include <stdlib.h>
#include <string.h>

struct tl_mixer {
    snd_mixer_t *handle;
};

// By the card's number: a name would be looked up in a configuration that is not there.
static int attach(snd_mixer_t *mixer, int card) {
    snd_ctl_t *control;
    int result = snd_ctl_hw_open(&control, NULL, card, 0);
    if (result < 0) return result;
    snd_hctl_t *list;
    if ((result = snd_hctl_open_ctl(&list, control)) < 0) {
        snd_ctl_close(control);
        return result;
    }
    if ((result = snd_mixer_attach_hctl(mixer, list)) < 0) snd_hctl_close(list);
    return result;
}

int64_t tl_mixer_open(int32_t card, tl_mixer **out) {
    tl_sound_quiet();
    tl_mixer *mixer = calloc(1, sizeof *mixer);
    if (mixer == NULL) return -ENOMEM;
    int result = snd_mixer_open(&mixer->handle, 0);
    if (result < 0) {
        free(mixer);
        return result;
    }
    if ((result = attach(mixer->handle, card)) < 0 || (result = snd_mixer_selem_register(mixer->handle, NULL, NULL)) < 0
        || (result = snd_mixer_load(mixer->handle)) < 0) {
        tl_mixer_close(mixer);
        return result;
    }
    *out = mixer;
    return 0;
}

void tl_mixer_close(tl_mixer *mixer) {
    snd_mixer_close(mixer->handle);
    free(mixer);
}

static snd_mixer_elem_t *element(tl_mixer *mixer, int32_t index) {
    snd_mixer_elem_t *found = snd_mixer_first_elem(mixer->handle);
    while (found != NULL && index-- > 0) found = snd_mixer_elem_next(found);
    return found;
}

static void look_at_capture(snd_mixer_elem_t *found, tl_mixer_control *out) {
    int is_on = 0;
    long least = 0, most = 0, value = 0;
    out->has_volume = snd_mixer_selem_has_capture_volume(found);
    out->has_switch = snd_mixer_selem_has_capture_switch(found);
    out->is_on = -1;
    if (out->has_switch && snd_mixer_selem_get_capture_switch(found, SND_MIXER_SCHN_MONO, &is_on) >= 0) out->is_on = is_on != 0;
    if (out->has_volume) {
        snd_mixer_selem_get_capture_volume_range(found, &least, &most);
        out->knows_value = snd_mixer_selem_get_capture_volume(found, SND_MIXER_SCHN_MONO, &value) >= 0;
    }
    out->least = least;
    out->most = most;
    out->value = value;
    out->has_decibels = out->has_volume && snd_mixer_selem_get_capture_dB_range(found, &least, &most) >= 0 && most > least;
    out->knows_decibels = out->has_decibels && snd_mixer_selem_get_capture_dB(found, SND_MIXER_SCHN_MONO, &value) >= 0;
    out->decibels_least = least;
    out->decibels_most = most;
    out->decibels = value;
}

static void look_at_playback(snd_mixer_elem_t *found, tl_mixer_control *out) {
    int is_on = 0;
    long least = 0, most = 0, value = 0;
    out->has_volume = snd_mixer_selem_has_playback_volume(found);
    out->has_switch = snd_mixer_selem_has_playback_switch(found);
    out->is_on = -1;
    if (out->has_switch && snd_mixer_selem_get_playback_switch(found, SND_MIXER_SCHN_MONO, &is_on) >= 0) out->is_on = is_on != 0;
    if (out->has_volume) {
        snd_mixer_selem_get_playback_volume_range(found, &least, &most);
        out->knows_value = snd_mixer_selem_get_playback_volume(found, SND_MIXER_SCHN_MONO, &value) >= 0;
    }
    out->least = least;
    out->most = most;
    out->value = value;
    out->has_decibels = out->has_volume && snd_mixer_selem_get_playback_dB_range(found, &least, &most) >= 0 && most > least;
    out->knows_decibels = out->has_decibels && snd_mixer_selem_get_playback_dB(found, SND_MIXER_SCHN_MONO, &value) >= 0;
    out->decibels_least = least;
    out->decibels_most = most;
    out->decibels = value;
}

int64_t tl_mixer_look(tl_mixer *mixer, int32_t index, int32_t captures, tl_mixer_control *out) {
    snd_mixer_elem_t *found = element(mixer, index);
    if (found == NULL) return -ENOENT;
    if (captures) {
        look_at_capture(found, out);
    } else {
        look_at_playback(found, out);
    }
    if (!out->has_volume && !out->has_switch) return -ENODATA;
    const char *name = snd_mixer_selem_get_name(found);
    size_t count = 0;
    for (; count + 1 < sizeof out->name && name[count] != 0; count++) out->name[count] = name[count];
    out->name[count] = 0;
    return 0;
}

int64_t tl_mixer_set_volume(tl_mixer *mixer, int32_t index, int32_t captures, int64_t value) {
    snd_mixer_elem_t *found = element(mixer, index);
    if (found == NULL) return -ENOENT;
    return captures ? snd_mixer_selem_set_capture_volume_all(found, (long)value)
                    : snd_mixer_selem_set_playback_volume_all(found, (long)value);
}

int64_t tl_mixer_set_decibels(tl_mixer *mixer, int32_t index, int32_t captures, int64_t hundredths) {
    snd_mixer_elem_t *found = element(mixer, index);
    if (found == NULL) return -ENOENT;
    return captures ? snd_mixer_selem_set_capture_dB_all(found, (long)hundredths, 0)
                    : snd_mixer_selem_set_playback_dB_all(found, (long)hundredths, 0);
}

int64_t tl_mixer_set_switch(tl_mixer *mixer, int32_t index, int32_t captures, int32_t is_on) {
    snd_mixer_elem_t *found = element(mixer, index);
    if (found == NULL) return -ENOENT;
    return captures ? snd_mixer_selem_set_capture_switch_all(found, is_on)
                    : snd_mixer_selem_set_playback_switch_all(found, is_on);
}

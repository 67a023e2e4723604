#include "private.h"

#include <stdlib.h>

struct tl_pcm {
    snd_pcm_t *handle;
    int captures;
};

int64_t tl_pcm_open(int32_t card, int32_t device, int32_t captures, tl_pcm **out) {
    tl_sound_quiet();
    tl_pcm *pcm = calloc(1, sizeof *pcm);
    if (pcm == NULL) return -ENOMEM;
    pcm->captures = captures;
    const snd_pcm_stream_t stream = captures ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK;
    const int result = snd_pcm_hw_open(&pcm->handle, NULL, card, device, -1, stream, SND_PCM_NONBLOCK, 0, 0);
    if (result < 0) {
        free(pcm);
        return result;
    }
    *out = pcm;
    return 0;
}

void tl_pcm_close(tl_pcm *pcm) {
    snd_pcm_drop(pcm->handle);
    snd_pcm_close(pcm->handle);
    free(pcm);
}

int64_t tl_pcm_offers(tl_pcm *pcm, tl_pcm_offer *out) {
    snd_pcm_hw_params_t *all;
    snd_pcm_hw_params_alloca(&all);
    int result = snd_pcm_hw_params_any(pcm->handle, all);
    if (result < 0) return result;
    if ((result = snd_pcm_hw_params_set_access(pcm->handle, all, SND_PCM_ACCESS_RW_INTERLEAVED)) < 0) return result;
    out->formats = 0;
    for (int format = 0; format < 64; format++) {
        if (snd_pcm_hw_params_test_format(pcm->handle, all, format) == 0) out->formats |= UINT64_C(1) << format;
    }
    int direction = 0;
    snd_pcm_hw_params_get_rate_min(all, &out->rate_least, &direction);
    snd_pcm_hw_params_get_rate_max(all, &out->rate_most, &direction);
    snd_pcm_hw_params_get_channels_min(all, &out->channels_least);
    snd_pcm_hw_params_get_channels_max(all, &out->channels_most);
    return 0;
}

// The nearest rate may be below the one that is wanted, and would lose what is above half of it.
static int set_rate(snd_pcm_t *handle, snd_pcm_hw_params_t *hardware, unsigned *rate) {
    unsigned least = *rate;
    int direction = 0;
    if (snd_pcm_hw_params_set_rate_min(handle, hardware, &least, &direction) >= 0) {
        direction = 0;
        return snd_pcm_hw_params_set_rate_first(handle, hardware, rate, &direction);
    }
    direction = 0;
    return snd_pcm_hw_params_set_rate_last(handle, hardware, rate, &direction);
}

static int set_hardware(snd_pcm_t *handle, tl_pcm_setup *setup) {
    snd_pcm_hw_params_t *hardware;
    snd_pcm_hw_params_alloca(&hardware);
    unsigned channels = setup->channels, rate = setup->rate;
    snd_pcm_uframes_t period = setup->period, buffer = setup->buffer;
    int direction = 0;
    int result = snd_pcm_hw_params_any(handle, hardware);
    if (result < 0) return result;
    if ((result = snd_pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED)) < 0) return result;
    if ((result = snd_pcm_hw_params_set_format(handle, hardware, setup->format)) < 0) return result;
    if ((result = snd_pcm_hw_params_set_channels_near(handle, hardware, &channels)) < 0) return result;
    if ((result = set_rate(handle, hardware, &rate)) < 0) return result;
    // Sizes were meant for the rate that was wished for.
    period = (snd_pcm_uframes_t)((uint64_t)period * rate / setup->rate);
    buffer = (snd_pcm_uframes_t)((uint64_t)buffer * rate / setup->rate);
    if ((result = snd_pcm_hw_params_set_buffer_size_near(handle, hardware, &buffer)) < 0) return result;
    if ((result = snd_pcm_hw_params_set_period_size_near(handle, hardware, &period, &direction)) < 0) return result;
    if ((result = snd_pcm_hw_params(handle, hardware)) < 0) return result;
    setup->channels = channels;
    setup->rate = rate;
    setup->period = period;
    setup->buffer = buffer;
    return 0;
}

int64_t tl_pcm_set(tl_pcm *pcm, tl_pcm_setup *setup) {
    int result = set_hardware(pcm->handle, setup);
    if (result < 0) return result;
    snd_pcm_sw_params_t *software;
    snd_pcm_sw_params_alloca(&software);
    if ((result = snd_pcm_sw_params_current(pcm->handle, software)) < 0) return result;
    if ((result = snd_pcm_sw_params_set_avail_min(pcm->handle, software, setup->period)) < 0) return result;
    // It begins when it is told to.
    snd_pcm_uframes_t never;
    snd_pcm_sw_params_get_boundary(software, &never);
    if ((result = snd_pcm_sw_params_set_start_threshold(pcm->handle, software, never)) < 0) return result;
    return snd_pcm_sw_params(pcm->handle, software);
}

int32_t tl_pcm_descriptor(tl_pcm *pcm) {
    struct pollfd descriptor;
    return snd_pcm_poll_descriptors(pcm->handle, &descriptor, 1) == 1 ? descriptor.fd : -1;
}

int64_t tl_pcm_start(tl_pcm *pcm) { return snd_pcm_start(pcm->handle); }

int64_t tl_pcm_read(tl_pcm *pcm, void *frames, uint64_t count) { return snd_pcm_readi(pcm->handle, frames, count); }

int64_t tl_pcm_write(tl_pcm *pcm, const void *frames, uint64_t count) { return snd_pcm_writei(pcm->handle, frames, count); }

int64_t tl_pcm_delay(tl_pcm *pcm) {
    snd_pcm_sframes_t delay = 0;
    const int result = snd_pcm_delay(pcm->handle, &delay);
    if (result < 0) return result;
    return delay < 0 ? 0 : delay;
}

int64_t tl_pcm_recover(tl_pcm *pcm, int32_t error) {
    int result;
    if (error == -ESTRPIPE) {
        result = snd_pcm_resume(pcm->handle);
        if (result >= 0 || result == -EAGAIN) return result;
    }
    result = snd_pcm_prepare(pcm->handle);
    if (result < 0 || !pcm->captures) return result;
    return snd_pcm_start(pcm->handle);
}

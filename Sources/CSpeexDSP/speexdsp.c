#include "CSpeexDSP.h"

#include <stddef.h>

#include <speex/speex_preprocess.h>
#include <speex/speex_resampler.h>

// The two are speexdsp's own states, under names of ours.

tl_resampler *tl_resampler_create(uint32_t from, uint32_t to, int32_t quality) {
    int error = 0;
    SpeexResamplerState *state = speex_resampler_init(1, from, to, quality, &error);
    if (state == NULL || error != RESAMPLER_ERR_SUCCESS) return NULL;
    speex_resampler_skip_zeros(state);
    return (tl_resampler *)state;
}

void tl_resampler_destroy(tl_resampler *resampler) { speex_resampler_destroy((SpeexResamplerState *)resampler); }

void tl_resampler_reset(tl_resampler *resampler) {
    speex_resampler_reset_mem((SpeexResamplerState *)resampler);
    speex_resampler_skip_zeros((SpeexResamplerState *)resampler);
}

int32_t tl_resampler_run(tl_resampler *resampler, const float *in, uint32_t *taken, float *out, uint32_t *given) {
    SpeexResamplerState *state = (SpeexResamplerState *)resampler;
    return speex_resampler_process_float(state, 0, in, taken, out, given) == RESAMPLER_ERR_SUCCESS ? 0 : -1;
}

tl_denoiser *tl_denoiser_create(int32_t samples, int32_t rate, int32_t attenuation) {
    SpeexPreprocessState *state = speex_preprocess_state_init(samples, rate);
    if (state == NULL) return NULL;
    int on = 1, off = 0, suppress = -attenuation;
    speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_DENOISE, &on);
    speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &suppress);
    speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_AGC, &off);
    speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_VAD, &off);
    return (tl_denoiser *)state;
}

void tl_denoiser_destroy(tl_denoiser *denoiser) { speex_preprocess_state_destroy((SpeexPreprocessState *)denoiser); }

void tl_denoiser_run(tl_denoiser *denoiser, int16_t *block) {
    speex_preprocess_run((SpeexPreprocessState *)denoiser, block);
}

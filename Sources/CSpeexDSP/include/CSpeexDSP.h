// Another rate of samples, and less noise among them, by speexdsp 1.2.

#ifndef CSPEEXDSP_H
#define CSPEEXDSP_H

#include <stdint.h>

/// Gives samples another rate.
typedef struct tl_resampler tl_resampler;

/// `quality` is from 0 to 10. NULL when there is no memory, or the rates are out of the question.
tl_resampler *tl_resampler_create(uint32_t from, uint32_t to, int32_t quality);
void tl_resampler_destroy(tl_resampler *resampler);
/// Forgets what it heard, and leaves out the silence that it would begin with.
void tl_resampler_reset(tl_resampler *resampler);
/// Takes `*taken` samples and has room for `*given`; both are then how many it took and gave. Negative when it failed.
int32_t tl_resampler_run(tl_resampler *resampler, const float *in, uint32_t *taken, float *out, uint32_t *given);

/// Takes noise out of blocks of a fixed size.
typedef struct tl_denoiser tl_denoiser;

/// `attenuation`: how much the noise is lowered at most, in decibels.
tl_denoiser *tl_denoiser_create(int32_t samples, int32_t rate, int32_t attenuation);
void tl_denoiser_destroy(tl_denoiser *denoiser);
/// Cleans a block of the size that it was made for, in place.
void tl_denoiser_run(tl_denoiser *denoiser, int16_t *block);

#endif

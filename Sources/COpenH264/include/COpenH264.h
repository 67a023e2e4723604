// The H.264 encoder of openh264 2.x behind four functions.

#ifndef COPENH264_H
#define COPENH264_H

#include <stddef.h>
#include <stdint.h>

typedef struct tl_h264 tl_h264;

typedef struct {
    /// Pixels; both even.
    int32_t width, height;
    /// Pictures in a thousand seconds.
    int32_t pictures_per_kilosecond;
    /// Target, and the most that it is ever raised to.
    int32_t bits_per_second, most_bits_per_second;
    /// 1: Y, Cb and Cr use 0 to 255; 0: 16 to 235 and 240.
    int32_t is_full_range;
} tl_h264_settings;

/// An encoder of one thread: constrained baseline profile, one slice a picture, no key frame unless asked, parameter
/// sets with each of those. Null when memory is short or the settings are refused.
tl_h264 *tl_h264_open(const tl_h264_settings *settings);

/// Encodes planes of 4:2:0. `milliseconds` go up from picture to picture. Answers the bytes of the access unit in
/// Annex B form, which are the encoder's until its next call; 0 when the picture was left out, -1 when it was refused.
int64_t tl_h264_encode(
    tl_h264 *encoder, uint8_t *const planes[3], const int32_t strides[3], int64_t milliseconds, int32_t is_key,
    const uint8_t **bytes);

/// Another target for the pictures to come. 0, or -1 when it was refused.
int32_t tl_h264_rate(tl_h264 *encoder, int32_t bits_per_second);

void tl_h264_close(tl_h264 *encoder);

#endif

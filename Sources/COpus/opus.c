#include "COpus.h"

#include <opus/opus.h>

// Half of what the encoder could do: what more would cost on a small ARM is not heard at this rate.
enum { complexity = 5 };

tl_opus *tl_opus_open(int32_t rate, int32_t bits_per_second, int32_t *lookahead) {
    int error;
    OpusEncoder *encoder = opus_encoder_create(rate, 1, OPUS_APPLICATION_AUDIO, &error);
    if (!encoder) return 0;
    if (opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bits_per_second)) == OPUS_OK
        && opus_encoder_ctl(encoder, OPUS_SET_VBR(0)) == OPUS_OK
        && opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(complexity)) == OPUS_OK
        && opus_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(lookahead)) == OPUS_OK)
        return encoder;
    opus_encoder_destroy(encoder);
    return 0;
}

int32_t tl_opus_encode(tl_opus *encoder, const int16_t *samples, int32_t count, uint8_t *packet, int32_t capacity) {
    return opus_encode(encoder, samples, count, packet, capacity);
}

void tl_opus_close(tl_opus *encoder) { opus_encoder_destroy(encoder); }

// The encoder of libopus behind three functions: its own settings are variadic, which Swift does not call.

#ifndef COPUS_H
#define COPUS_H

#include <stdint.h>

typedef struct OpusEncoder tl_opus;

/// An encoder of one channel of `rate` samples a second, at `bits_per_second`, every packet of the same size. Sets how many
/// samples what comes out lags behind what goes in. Null when memory is short or a value is refused.
tl_opus *tl_opus_open(int32_t rate, int32_t bits_per_second, int32_t *lookahead);

/// Encodes a packet. Answers its bytes, or a negative number: RFC 6716's reference codes.
int32_t tl_opus_encode(tl_opus *encoder, const int16_t *samples, int32_t count, uint8_t *packet, int32_t capacity);

void tl_opus_close(tl_opus *encoder);

#endif

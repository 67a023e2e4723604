// QR codes (ISO/IEC 18004) by libqrencode 4.
// Results are zero or more, or a negated errno, as in tl_calls.h.

#ifndef CQRCODE_H
#define CQRCODE_H

#include <stdint.h>

/// Encodes bytes with medium error correction in the smallest version that holds them. `modules` takes rows of as many bytes as
/// the result says, the lowest bit of each 1 where a module is dark. -ERANGE when `capacity` is too small for them, or the text is
/// too long for any code.
int32_t tl_qr(const uint8_t *text, int32_t count, uint8_t *modules, int32_t capacity);

#endif

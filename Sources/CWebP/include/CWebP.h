// WebP by libwebp (1.2): its decoder. Results are zero or more, or a negated errno, as in tl_calls.h.

#ifndef CWEBP_H
#define CWEBP_H

#include <stdint.h>

/// The size of a picture in pixels.
int32_t tl_webp_size(const uint8_t *bytes, int64_t count, int32_t *width, int32_t *height);

/// Decodes to `width` by `height` pixels, averaged while decoding where the picture has more: premultiplied 0xAARRGGBB in the
/// processor's order, rows without gaps. Of an animation its first frame.
int32_t tl_webp_decode(const uint8_t *bytes, int64_t count, int32_t width, int32_t height, uint32_t *pixels);

#endif

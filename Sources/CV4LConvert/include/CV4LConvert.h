// The converter of libv4l (libv4lconvert 1.22): what cameras of old send in formats of their makers becomes planar
// 4:2:0. Results are zero or more, or a negated errno, as in tl_calls.h.

#ifndef CV4LCONVERT_H
#define CV4LCONVERT_H

#include <stdint.h>

typedef struct tl_converter tl_converter;

/// A converter for the camera behind a descriptor, which has to outlive it: it asks the camera for flips, white balance
/// and gain that it lacks, and then does these itself. -1: for frames of no camera, as they are. Null when memory is
/// short or the camera does not answer.
tl_converter *tl_converter_open(int32_t fd);

typedef struct {
    /// Four-character code.
    uint32_t fourcc;
    /// Pixels.
    uint32_t width, height;
    /// From one row to the next; the width where a format has no rows.
    uint32_t bytes_per_line;
} tl_converter_frame;

/// Converts to Y, Cb and Cr at 4:2:0 without gaps: their bytes. The decoders trust their input: `source` may be read
/// beyond `source_bytes`, and is written to; `result` may be written beyond `result_bytes`. The caller has room there.
int64_t tl_converter_run(tl_converter *converter, const tl_converter_frame *frame, uint8_t *source,
                         int32_t source_bytes, uint8_t *result, int32_t result_bytes);

void tl_converter_close(tl_converter *converter);

#endif

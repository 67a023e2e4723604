// PNG by libpng (1.6), row by row in both directions. One caller at a time for each handle.
// Results are zero or more, or a negated errno, as in tl_calls.h.

#ifndef CPNG_H
#define CPNG_H

#include <stdint.h>

typedef struct tl_png_reader tl_png_reader;
typedef struct tl_png_writer tl_png_writer;

typedef struct {
    /// Pixels.
    int32_t width, height;
    /// Its rows come in seven passes: they can only be read all at once.
    int32_t is_interlaced;
} tl_png_header;

/// Null when memory is short. The bytes outlive the reader.
tl_png_reader *tl_png_open(const uint8_t *bytes, int64_t count);
/// First. Sides of more than `longest` pixels are refused.
int32_t tl_png_read_header(tl_png_reader *reader, int32_t longest, tl_png_header *header);
/// The next row: 0xAARRGGBB in the processor's order, not premultiplied.
int32_t tl_png_read_row(tl_png_reader *reader, uint32_t *row);
/// All rows, `width` pixels from one to the next.
int32_t tl_png_read_all(tl_png_reader *reader, uint32_t *rows);
/// What was wrong, in libpng's words; empty when nothing was.
const char *tl_png_fault(const tl_png_reader *reader);
void tl_png_close(tl_png_reader *reader);

/// A writer of 8-bit RGB into a buffer. Null when memory is short.
tl_png_writer *tl_png_create(uint8_t *buffer, int64_t capacity);
int32_t tl_png_write_header(tl_png_writer *writer, int32_t width, int32_t height);
/// The next row, three bytes a pixel. -ENOSPC when the buffer is full.
int32_t tl_png_write_row(tl_png_writer *writer, const uint8_t *row);
/// Bytes of the whole file.
int64_t tl_png_finish(tl_png_writer *writer);
void tl_png_destroy(tl_png_writer *writer);

#endif

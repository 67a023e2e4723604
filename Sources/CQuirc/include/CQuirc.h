// Reading of QR codes (ISO/IEC 18004) by quirc.
// Results are zero or more, or a negated errno, as in tl_calls.h.

#ifndef CQUIRC_H
#define CQUIRC_H

#include <stdint.h>

/// A reader, with a gray picture of one size.
typedef struct tl_qr_reader tl_qr_reader;

/// A reader for pictures of this size; NULL without memory for it.
tl_qr_reader *tl_qr_reader_new(int32_t width, int32_t height);

/// Frees a reader.
void tl_qr_reader_free(tl_qr_reader *reader);

/// The picture to fill: rows of `width` bytes, dark to bright. `tl_qr_reader_find` uses it up.
uint8_t *tl_qr_reader_picture(tl_qr_reader *reader);

/// Looks for codes in the picture: how many there seem to be.
int32_t tl_qr_reader_find(tl_qr_reader *reader);

/// The text of the code of this index, also of a mirrored one: its length. -EILSEQ when it cannot be read, -ERANGE when it is longer than
/// `capacity`.
int32_t tl_qr_reader_text(tl_qr_reader *reader, int32_t index, uint8_t *text, int32_t capacity);

#endif

#include "CQuirc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <quirc.h>

struct tl_qr_reader {
    struct quirc *quirc;
    // Thirteen kilobytes, so not on the stack.
    struct quirc_code code;
    struct quirc_data data;
};

tl_qr_reader *tl_qr_reader_new(int32_t width, int32_t height) {
    if (width <= 0 || height <= 0 || width > INT32_MAX / height) return NULL;
    tl_qr_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->quirc = quirc_new();
    if (reader->quirc == NULL || quirc_resize(reader->quirc, width, height) != 0) {
        tl_qr_reader_free(reader);
        return NULL;
    }
    return reader;
}

void tl_qr_reader_free(tl_qr_reader *reader) {
    if (reader == NULL) return;
    if (reader->quirc != NULL) quirc_destroy(reader->quirc);
    free(reader);
}

uint8_t *tl_qr_reader_picture(tl_qr_reader *reader) { return quirc_begin(reader->quirc, NULL, NULL); }

int32_t tl_qr_reader_find(tl_qr_reader *reader) {
    quirc_end(reader->quirc);
    return quirc_count(reader->quirc);
}

int32_t tl_qr_reader_text(tl_qr_reader *reader, int32_t index, uint8_t *text, int32_t capacity) {
    // Its own check lets one index too many pass.
    if (index < 0 || index >= quirc_count(reader->quirc)) return -EILSEQ;
    quirc_extract(reader->quirc, index, &reader->code);
    quirc_decode_error_t error = quirc_decode(&reader->code, &reader->data);
    if (error == QUIRC_ERROR_DATA_ECC) {
        quirc_flip(&reader->code);
        error = quirc_decode(&reader->code, &reader->data);
    }
    if (error != QUIRC_SUCCESS) return -EILSEQ;
    if (reader->data.payload_len > capacity) return -ERANGE;
    memcpy(text, reader->data.payload, (size_t)reader->data.payload_len);
    return reader->data.payload_len;
}

#include "CPNG.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct tl_png_reader {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t left;
    jmp_buf escape;
    int32_t width, height;
    char fault[64];
};

static void fail(png_structp png, png_const_charp text) {
    tl_png_reader *reader = png_get_error_ptr(png);
    strncpy(reader->fault, text, sizeof reader->fault - 1);
    longjmp(reader->escape, 1);
}

static void ignore(png_structp png, png_const_charp text) { (void)png, (void)text; }

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    tl_png_reader *reader = png_get_io_ptr(png);
    if (count > reader->left) png_error(png, "the data ends too early");
    memcpy(target, reader->bytes, count);
    reader->bytes += count;
    reader->left -= count;
}

tl_png_reader *tl_png_open(const uint8_t *bytes, int64_t count) {
    tl_png_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->bytes = bytes;
    reader->left = (size_t)count;
    // Bound before libpng can fail: it may jump from within its first call.
    if (setjmp(reader->escape) == 0) reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, fail, ignore);
    if (reader->png) reader->info = png_create_info_struct(reader->png);
    if (!reader->info) {
        tl_png_close(reader);
        return NULL;
    }
    png_set_read_fn(reader->png, reader, read_bytes);
    return reader;
}

int32_t tl_png_read_header(tl_png_reader *reader, int32_t longest, tl_png_header *header) {
    if (setjmp(reader->escape)) return -EBADMSG;
    png_structp png = reader->png;
    png_set_user_limits(png, (png_uint_32)longest, (png_uint_32)longest);
    // Texts and profiles are skipped; what else unpacks is held small.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_chunk_cache_max(png, 16);
    png_set_chunk_malloc_max(png, 1 << 20);
    png_read_info(png, reader->info);
    reader->width = (int32_t)png_get_image_width(png, reader->info);
    reader->height = (int32_t)png_get_image_height(png, reader->info);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_bgr(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    header->is_interlaced = png_set_interlace_handling(png) > 1;
    png_read_update_info(png, reader->info);
    if (png_get_rowbytes(png, reader->info) != (size_t)reader->width * 4) png_error(png, "an unknown kind of pixels");
    header->width = reader->width;
    header->height = reader->height;
    return 0;
}

int32_t tl_png_read_row(tl_png_reader *reader, uint32_t *row) {
    if (setjmp(reader->escape)) return -EBADMSG;
    png_read_row(reader->png, (png_bytep)row, NULL);
    return 0;
}

int32_t tl_png_read_all(tl_png_reader *reader, uint32_t *rows) {
    if (setjmp(reader->escape)) return -EBADMSG;
    for (int pass = 0; pass < 7; pass++)
        for (int32_t y = 0; y < reader->height; y++)
            png_read_row(reader->png, (png_bytep)(rows + (size_t)y * (size_t)reader->width), NULL);
    return 0;
}

const char *tl_png_fault(const tl_png_reader *reader) { return reader->fault; }

void tl_png_close(tl_png_reader *reader) {
    if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

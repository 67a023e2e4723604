#include "CPNG.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct tl_png_writer {
    png_structp png;
    png_infop info;
    uint8_t *buffer;
    size_t capacity, count;
    jmp_buf escape;
};

static void fail(png_structp png, png_const_charp text) {
    (void)text;
    tl_png_writer *writer = png_get_error_ptr(png);
    longjmp(writer->escape, 1);
}

static void ignore(png_structp png, png_const_charp text) { (void)png, (void)text; }

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    tl_png_writer *writer = png_get_io_ptr(png);
    if (count > writer->capacity - writer->count) png_error(png, "no room");
    memcpy(writer->buffer + writer->count, bytes, count);
    writer->count += count;
}

static void flush(png_structp png) { (void)png; }

tl_png_writer *tl_png_create(uint8_t *buffer, int64_t capacity) {
    tl_png_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->buffer = buffer;
    writer->capacity = (size_t)capacity;
    if (setjmp(writer->escape) == 0) writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, fail, ignore);
    if (writer->png) writer->info = png_create_info_struct(writer->png);
    if (!writer->info) {
        tl_png_destroy(writer);
        return NULL;
    }
    png_set_write_fn(writer->png, writer, write_bytes, flush);
    return writer;
}

int32_t tl_png_write_header(tl_png_writer *writer, int32_t width, int32_t height) {
    if (setjmp(writer->escape)) return -ENOSPC;
    png_structp png = writer->png;
    png_set_IHDR(png, writer->info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // Surfaces are flat colours and gradients down the screen: the difference to the row above is nearly all zeros, and a
    // higher level takes three times as long for a twentieth.
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    png_set_compression_level(png, 4);
    png_write_info(png, writer->info);
    return 0;
}

int32_t tl_png_write_row(tl_png_writer *writer, const uint8_t *row) {
    if (setjmp(writer->escape)) return -ENOSPC;
    png_write_row(writer->png, row);
    return 0;
}

int64_t tl_png_finish(tl_png_writer *writer) {
    if (setjmp(writer->escape)) return -ENOSPC;
    png_write_end(writer->png, NULL);
    return (int64_t)writer->count;
}

void tl_png_destroy(tl_png_writer *writer) {
    if (writer->png) png_destroy_write_struct(&writer->png, &writer->info);
    free(writer);
}

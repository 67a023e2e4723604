// FreeType (2.12), as far as text on the canvas needs it: glyphs by character, and their pictures.
// One library and its faces belong to one thread. Results are zero or more, or a negated errno, as in tl_calls.h.

#ifndef CFREETYPE_H
#define CFREETYPE_H

#include <stdint.h>

typedef struct tl_type tl_type;
typedef struct tl_face tl_face;

/// Null when memory is short.
tl_type *tl_type_open(void);
/// Faces are closed before.
void tl_type_close(tl_type *type);

/// A face in memory that outlives it, `index` within a collection. Null when it cannot be read or has no outlines.
tl_face *tl_face_open(tl_type *type, const uint8_t *bytes, int64_t count, int32_t index);
void tl_face_close(tl_face *face);

/// The glyph of a Unicode character; 0 when the face has none.
uint32_t tl_face_glyph(tl_face *face, uint32_t character);
/// The next character after one for which the face has a glyph; 0: there is none.
uint32_t tl_face_next(tl_face *face, uint32_t character);
/// Above and below the baseline, both positive, in 1/65536 of the em square.
void tl_face_heights(tl_face *face, int32_t *ascent, int32_t *descent);

typedef struct {
    /// From the pen's place, rounded down, to the left edge; from the baseline up to the upper edge. Pixels.
    int32_t left, top;
    int32_t width, height;
    /// Coverage 0...255, valid until the next call.
    const uint8_t *rows;
    /// From one row to the next.
    int32_t stride;
} tl_glyph;

/// Draws a glyph at `size` pixels per em, `quarter` quarter pixels to the right; emboldened and slanted by calculation when
/// asked. Negative when the glyph is broken or too large.
int32_t tl_face_draw(tl_face *face, uint32_t glyph, int32_t size, int32_t quarter, int32_t is_bold, int32_t is_slanted,
                     tl_glyph *result);

/// A step of an outline: the end of a line or curve, and its one or two control points; 1/64 pixel, y up.
typedef struct {
    /// 0: a contour begins, 1: line, 2: one control point, 3: two.
    int32_t kind;
    int32_t x1, y1, x2, y2, x, y;
} tl_outline_step;

/// The outline of a glyph at `size` pixels per em, unhinted. The number of steps; negative when it has none, or more than
/// `capacity`.
int32_t tl_face_outline(tl_face *face, uint32_t glyph, int32_t size, int32_t is_bold, int32_t is_slanted,
                        tl_outline_step *steps, int32_t capacity);

#endif

// HarfBuzz (6.0): which glyphs the letters of a text become, and where they stand. And two properties of characters that it knows.
// A shaper and its faces belong to one thread. Lengths are in 1/65536 of the em square.

#ifndef CHARFBUZZ_H
#define CHARFBUZZ_H

#include <stdint.h>

typedef struct tl_shaper tl_shaper;
typedef struct tl_shape_face tl_shape_face;

/// With room for so many characters at once; null when memory is short.
tl_shaper *tl_shaper_open(int32_t characters);
void tl_shaper_close(tl_shaper *shaper);

/// The tables of a font in memory that outlives it, `index` within a collection. Null when memory is short.
tl_shape_face *tl_shape_face_open(const uint8_t *bytes, int64_t count, int32_t index);
void tl_shape_face_close(tl_shape_face *face);

typedef struct {
    /// Among the glyphs of the face; 0: it has none for the character.
    uint32_t glyph;
    /// The first of the characters that it stands for, counted from the start of the text.
    int32_t character;
    /// From this pen to the next one, and from the pen to the glyph: to the right, and up.
    int32_t advance, x, y;
} tl_shaped;

/// Shapes `count` characters from `start` of a text of `length`, what stands around them looked at (whether letters join). `script` is
/// what tl_script says of them. The glyphs are in the order in which they are seen, and `shaped` leads to them until the next call.
/// Digits of a run without letters are of one width. How many glyphs there are; 0 when memory is short.
int32_t tl_shape(tl_shaper *shaper, tl_shape_face *face, const uint32_t *text, int32_t length, int32_t start, int32_t count,
                 uint32_t script, int32_t is_backwards, const tl_shaped **shaped);

/// The script of a character as an ISO 15924 tag; 0 for what belongs to any (blanks, digits, punctuation, marks).
uint32_t tl_script(uint32_t character);
/// It stands on the character before it (general categories Mn, Mc and Me).
int32_t tl_is_mark(uint32_t character);

#endif

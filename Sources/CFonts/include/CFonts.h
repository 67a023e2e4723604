// The faces that are built in: subsets of Debian's fonts that `board/prepare` made.

#ifndef CFONTS_H
#define CFONTS_H

#include <stdint.h>

// In the order of the search for a character.
enum {
    TL_FONT_SANS,
    TL_FONT_SANS_BOLD,
    TL_FONT_MONO,
    /// Symbols, and below letters from right to left, which the sans does not have.
    TL_FONT_SYMBOLS,
    TL_FONT_ARABIC,
    TL_FONT_ARABIC_BOLD,
    TL_FONT_HEBREW,
    TL_FONT_HEBREW_BOLD,
    TL_FONT_COUNT
};

/// The bytes of a built-in face, OpenType or TrueType, and how many there are.
const uint8_t *tl_font(int32_t face, int64_t *count);

#endif

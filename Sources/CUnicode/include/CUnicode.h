// Properties of characters, from the Unicode Character Database (board/lib/make-unicode.py).

#ifndef CUNICODE_H
#define CUNICODE_H

#include <stdint.h>

/// The class for line breaking in bits 5 to 10 (UAX #14, after its rule LB1), a flag in bit 4 (brackets: they are wide;
/// others: a pictograph that is not assigned yet), the class for grapheme clusters in bits 0 to 3 (UAX #29).
uint32_t tl_unicode(uint32_t character);

#endif

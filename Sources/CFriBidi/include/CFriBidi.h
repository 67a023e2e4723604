// FriBidi (1.0): the Unicode bidirectional algorithm and the joining of Arabic letters, for one line.
// Results are zero or more, or a negated errno, as in tl_calls.h.

#ifndef CFRIBIDI_H
#define CFRIBIDI_H

#include <stdint.h>

/// Longest line in characters.
enum { TL_BIDI_CHARACTERS = 1024 };

/// What stands in a result where a letter became part of the one before.
enum { TL_BIDI_JOINED = 0xFEFF };

/// Replaces letters by the forms that join and, when asked, brackets by mirrored ones, and puts all in the order in which they are
/// seen from left to right. The line's direction is that of its first letter that has one. Without the order it is for measuring
/// alone: where an order is forced within a word (U+202D), letters join that are seen apart.
int32_t tl_bidi(const uint32_t *text, int32_t count, uint32_t *result, int32_t is_visual);

#endif

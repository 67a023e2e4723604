// FriBidi (1.0): the Unicode bidirectional algorithm, for one line. Results are zero or more, or a negated errno, as in tl_calls.h.

#ifndef CFRIBIDI_H
#define CFRIBIDI_H

#include <stdint.h>

/// Longest line in characters.
enum { TL_BIDI_CHARACTERS = 1024 };

/// The embedding level of each character: what has an odd one runs from right to left. The line's direction is that of its first
/// letter that has one. The highest level.
int32_t tl_bidi(const uint32_t *text, int32_t count, uint8_t *levels);

/// Whether a character is a letter that runs to the right (1) or to the left (2); 0: neither.
int32_t tl_direction(uint32_t character);

#endif

#include "CFriBidi.h"

#include <errno.h>

#include <fribidi/fribidi.h>

int32_t tl_bidi(const uint32_t *text, int32_t count, uint8_t *levels) {
    FriBidiCharType types[TL_BIDI_CHARACTERS];
    FriBidiBracketType brackets[TL_BIDI_CHARACTERS];
    FriBidiLevel found[TL_BIDI_CHARACTERS];
    if (count < 0 || count > TL_BIDI_CHARACTERS) return -ERANGE;
    if (count == 0) return 0;
    FriBidiParType direction = FRIBIDI_PAR_ON;
    fribidi_get_bidi_types(text, count, types);
    fribidi_get_bracket_types(text, count, types, brackets);
    FriBidiLevel highest = fribidi_get_par_embedding_levels_ex(types, brackets, count, &direction, found);
    if (highest == 0) return -ENOMEM;
    for (int32_t i = 0; i < count; i++) levels[i] = (uint8_t)found[i];
    return highest - 1;
}

int32_t tl_direction(uint32_t character) {
    FriBidiCharType type = fribidi_get_bidi_type(character);
    if (!FRIBIDI_IS_LETTER(type)) return 0;
    return FRIBIDI_IS_RTL(type) ? 2 : 1;
}

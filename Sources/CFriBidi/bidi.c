#include "CFriBidi.h"

#include <errno.h>
#include <string.h>

#include <fribidi/fribidi.h>

int32_t tl_bidi(const uint32_t *text, int32_t count, uint32_t *result, int32_t is_visual) {
    FriBidiCharType types[TL_BIDI_CHARACTERS];
    FriBidiBracketType brackets[TL_BIDI_CHARACTERS];
    FriBidiLevel levels[TL_BIDI_CHARACTERS];
    FriBidiJoiningType joining[TL_BIDI_CHARACTERS];
    if (count < 0 || count > TL_BIDI_CHARACTERS) return -ERANGE;
    if (count == 0) return 0;
    const FriBidiFlags flags = FRIBIDI_FLAGS_DEFAULT | FRIBIDI_FLAGS_ARABIC;
    FriBidiParType direction = FRIBIDI_PAR_ON;
    memcpy(result, text, (size_t)count * sizeof *result);
    fribidi_get_bidi_types(text, count, types);
    fribidi_get_joining_types(text, count, joining);
    if (!is_visual) {
        // How far a line reaches does not depend on its order: which letters join is known without the levels, whose algorithm
        // takes most of the time. Right to left is the direction of all that join.
        memset(levels, 1, sizeof *levels * (size_t)count);
        fribidi_join_arabic(types, count, levels, joining);
        fribidi_shape(FRIBIDI_FLAGS_ARABIC, levels, count, joining, result);
        return count;
    }
    fribidi_get_bracket_types(text, count, types, brackets);
    if (!fribidi_get_par_embedding_levels_ex(types, brackets, count, &direction, levels)) return -ENOMEM;
    fribidi_join_arabic(types, count, levels, joining);
    fribidi_shape(flags, levels, count, joining, result);
    if (!fribidi_reorder_line(flags, types, count, 0, direction, levels, result, NULL)) return -ENOMEM;
    return count;
}

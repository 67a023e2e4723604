#include "CHarfBuzz.h"

#include <stdlib.h>

#include <hb-ot.h>
#include <hb.h>

struct tl_shaper {
    hb_buffer_t *buffer;
    tl_shaped *shaped;
    int32_t capacity;
};

struct tl_shape_face {
    hb_font_t *font;
};

// What a character may become: a syllable of some scripts has more glyphs than characters.
enum { GLYPHS_PER_CHARACTER = 4 };

tl_shaper *tl_shaper_open(int32_t characters) {
    tl_shaper *shaper = calloc(1, sizeof *shaper);
    if (!shaper) return NULL;
    shaper->capacity = characters * GLYPHS_PER_CHARACTER;
    shaper->shaped = calloc((size_t)shaper->capacity, sizeof *shaper->shaped);
    shaper->buffer = hb_buffer_create();
    if (!shaper->shaped || !hb_buffer_pre_allocate(shaper->buffer, (unsigned)shaper->capacity)) {
        tl_shaper_close(shaper);
        return NULL;
    }
    return shaper;
}

void tl_shaper_close(tl_shaper *shaper) {
    hb_buffer_destroy(shaper->buffer);
    free(shaper->shaped);
    free(shaper);
}

tl_shape_face *tl_shape_face_open(const uint8_t *bytes, int64_t count, int32_t index) {
    tl_shape_face *result = calloc(1, sizeof *result);
    if (!result) return NULL;
    hb_blob_t *blob = hb_blob_create((const char *)bytes, (unsigned)count, HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *face = hb_face_create(blob, (unsigned)index);
    hb_blob_destroy(blob);
    result->font = hb_font_create(face);
    hb_face_destroy(face);
    if (result->font == hb_font_get_empty()) {
        free(result);
        return NULL;
    }
    hb_font_set_scale(result->font, 65536, 65536);
    hb_font_make_immutable(result->font);
    return result;
}

void tl_shape_face_close(tl_shape_face *face) {
    hb_font_destroy(face->font);
    free(face);
}

// Digits without letters: a number, which may change while somebody looks at it, and whose digits stand below those of others.
static unsigned is_number(const uint32_t *text, int32_t count, uint32_t script) {
    if (script) return 0;
    for (int32_t i = 0; i < count; i++) {
        if (text[i] >= '0' && text[i] <= '9') return 1;
    }
    return 0;
}

int32_t tl_shape(tl_shaper *shaper, tl_shape_face *face, const uint32_t *text, int32_t length, int32_t start, int32_t count,
                 uint32_t script, int32_t is_backwards, const tl_shaped **shaped) {
    hb_buffer_t *buffer = shaper->buffer;
    hb_buffer_clear_contents(buffer);
    // The text is made of characters that were decoded before, so nothing of it has to be replaced.
    hb_buffer_add_codepoints(buffer, text, length, (unsigned)start, count);
    hb_buffer_set_direction(buffer, is_backwards ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, script ? (hb_script_t)script : HB_SCRIPT_COMMON);
    hb_buffer_set_flags(buffer, HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES | (start == 0 ? HB_BUFFER_FLAG_BOT : 0) |
                                    (start + count == length ? HB_BUFFER_FLAG_EOT : 0));
    hb_feature_t tabular = {HB_TAG('t', 'n', 'u', 'm'), 1, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END};
    hb_shape(face->font, buffer, &tabular, is_number(text + start, count, script));
    unsigned found = 0;
    const hb_glyph_info_t *infos = hb_buffer_get_glyph_infos(buffer, &found);
    const hb_glyph_position_t *places = hb_buffer_get_glyph_positions(buffer, NULL);
    if (!infos || !places) return 0;
    if (found > (unsigned)shaper->capacity) found = (unsigned)shaper->capacity;
    for (unsigned i = 0; i < found; i++) {
        shaper->shaped[i] = (tl_shaped){infos[i].codepoint, (int32_t)infos[i].cluster, places[i].x_advance, places[i].x_offset,
                                        places[i].y_offset};
    }
    *shaped = shaper->shaped;
    return (int32_t)found;
}

uint32_t tl_script(uint32_t character) {
    hb_script_t script = hb_unicode_script(hb_unicode_funcs_get_default(), character);
    return script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN ? 0 : (uint32_t)script;
}

int32_t tl_is_mark(uint32_t character) {
    switch (hb_unicode_general_category(hb_unicode_funcs_get_default(), character)) {
        case HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK:
        case HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK:
        case HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK: return 1;
        default: return 0;
    }
}

#include "CFreeType.h"

#include <errno.h>
#include <stdlib.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MODULE_H
#include FT_OUTLINE_H

#include "tl_process.h"

struct tl_type {
    FT_Library library;
    struct FT_MemoryRec_ memory;
};

struct tl_face {
    FT_Face face;
    int32_t size;
};

// FreeType 2.12.1 uses the null pointer that it got where memory ends.
static void *taken(void *block) {
    if (!block) tl_end_without_memory();
    return block;
}

static void *take(FT_Memory memory, long count) {
    (void)memory;
    return taken(malloc((size_t)count));
}

static void give(FT_Memory memory, void *block) {
    (void)memory;
    free(block);
}

static void *grow(FT_Memory memory, long old, long count, void *block) {
    (void)memory;
    (void)old;
    return taken(realloc(block, (size_t)count));
}

#ifdef TALON_FIRMWARE

// FreeType's own list would link the readers of a dozen formats of the nineties; these read TrueType and OpenType.
// Each begins with what FreeType asks of every module.
extern const FT_Module_Class autofit_module_class, tt_driver_class, cff_driver_class, psaux_module_class,
    psnames_module_class, pshinter_module_class, sfnt_module_class, ft_smooth_renderer_class;

static void add_modules(FT_Library library) {
    const FT_Module_Class *classes[] = {
        &autofit_module_class, &tt_driver_class,       &cff_driver_class,  &psaux_module_class,
        &psnames_module_class, &pshinter_module_class, &sfnt_module_class, &ft_smooth_renderer_class,
    };
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++) FT_Add_Module(library, classes[i]);
}

// WOFF2, which only browsers read, would bring a dictionary of 120 KB. Its decoder says 0 for bytes that are no Brotli.
int BrotliDecoderDecompress(size_t count, const uint8_t *bytes, size_t *result_count, uint8_t *result) {
    (void)count, (void)bytes, (void)result_count, (void)result;
    return 0;
}

#else

static void add_modules(FT_Library library) { FT_Add_Default_Modules(library); }

#endif

tl_type *tl_type_open(void) {
    tl_type *type = calloc(1, sizeof *type);
    if (!type) return NULL;
    type->memory.alloc = take;
    type->memory.free = give;
    type->memory.realloc = grow;
    if (FT_New_Library(&type->memory, &type->library)) {
        free(type);
        return NULL;
    }
    add_modules(type->library);
    return type;
}

void tl_type_close(tl_type *type) {
    FT_Done_Library(type->library);
    free(type);
}

static tl_face *keep(FT_Face face) {
    tl_face *result = calloc(1, sizeof *result);
    if (!result || !FT_IS_SCALABLE(face) || face->units_per_EM == 0) {
        FT_Done_Face(face);
        free(result);
        return NULL;
    }
    FT_Select_Charmap(face, FT_ENCODING_UNICODE);
    result->face = face;
    return result;
}

tl_face *tl_face_open(tl_type *type, const uint8_t *bytes, int64_t count, int32_t index) {
    FT_Face face;
    return FT_New_Memory_Face(type->library, bytes, (FT_Long)count, index, &face) ? NULL : keep(face);
}

void tl_face_close(tl_face *face) {
    FT_Done_Face(face->face);
    free(face);
}

uint32_t tl_face_glyph(tl_face *face, uint32_t character) { return FT_Get_Char_Index(face->face, character); }

uint32_t tl_face_next(tl_face *face, uint32_t character) {
    FT_UInt glyph = 0;
    FT_ULong next = FT_Get_Next_Char(face->face, character, &glyph);
    return glyph == 0 ? 0 : (uint32_t)next;
}

static int32_t of_em(tl_face *face, int64_t units) {
    int64_t result = units * 65536 / face->face->units_per_EM;
    return (int32_t)(result < 0 ? 0 : result > 16 * 65536 ? 16 * 65536 : result);
}

void tl_face_heights(tl_face *face, int32_t *ascent, int32_t *descent) {
    *ascent = of_em(face, face->face->ascender);
    *descent = of_em(face, -(int64_t)face->face->descender);
}

// Emboldened and slanted by calculation.
static void shape(FT_GlyphSlot slot, int32_t size, int32_t is_bold, int32_t is_slanted) {
    if (is_bold) FT_Outline_Embolden(&slot->outline, size * 64 / 24);
    if (is_slanted) {
        // Eleven degrees, as DejaVu's and Inter's own obliques.
        FT_Matrix slant = {0x10000, 0x3200, 0, 0x10000};
        FT_Outline_Transform(&slot->outline, &slant);
    }
}

static int set_size(tl_face *face, int32_t size) {
    if (face->size == size) return 0;
    if (FT_Set_Pixel_Sizes(face->face, 0, (FT_UInt)size)) return -EINVAL;
    face->size = size;
    return 0;
}

int32_t tl_face_draw(tl_face *face, uint32_t glyph, int32_t size, int32_t quarter, int32_t is_bold, int32_t is_slanted,
                     tl_glyph *result) {
    if (set_size(face, size)) return -EINVAL;
    if (FT_Load_Glyph(face->face, glyph, FT_LOAD_TARGET_LIGHT | FT_LOAD_FORCE_AUTOHINT | FT_LOAD_NO_BITMAP)) return -EINVAL;
    FT_GlyphSlot slot = face->face->glyph;
    if (slot->format != FT_GLYPH_FORMAT_OUTLINE) return -EINVAL;
    shape(slot, size, is_bold, is_slanted);
    FT_Outline_Translate(&slot->outline, quarter * 16, 0);
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL)) return -ERANGE;
    result->left = slot->bitmap_left;
    result->top = slot->bitmap_top;
    result->width = (int32_t)slot->bitmap.width;
    result->height = (int32_t)slot->bitmap.rows;
    result->rows = slot->bitmap.buffer;
    result->stride = slot->bitmap.pitch;
    return 0;
}

typedef struct {
    tl_outline_step *steps;
    int32_t count, capacity;
} outline_writer;

static int put(void *user, int32_t kind, const FT_Vector *first, const FT_Vector *second, const FT_Vector *end) {
    outline_writer *writer = user;
    if (writer->count == writer->capacity) return 1;
    writer->steps[writer->count++] = (tl_outline_step){
        kind,      first ? (int32_t)first->x : 0, first ? (int32_t)first->y : 0, second ? (int32_t)second->x : 0,
        second ? (int32_t)second->y : 0, (int32_t)end->x, (int32_t)end->y};
    return 0;
}

static int put_move(const FT_Vector *to, void *user) { return put(user, 0, NULL, NULL, to); }
static int put_line(const FT_Vector *to, void *user) { return put(user, 1, NULL, NULL, to); }
static int put_conic(const FT_Vector *control, const FT_Vector *to, void *user) { return put(user, 2, control, NULL, to); }
static int put_cubic(const FT_Vector *first, const FT_Vector *second, const FT_Vector *to, void *user) {
    return put(user, 3, first, second, to);
}

int32_t tl_face_outline(tl_face *face, uint32_t glyph, int32_t size, int32_t is_bold, int32_t is_slanted,
                        tl_outline_step *steps, int32_t capacity) {
    if (set_size(face, size)) return -EINVAL;
    if (FT_Load_Glyph(face->face, glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP)) return -EINVAL;
    FT_GlyphSlot slot = face->face->glyph;
    if (slot->format != FT_GLYPH_FORMAT_OUTLINE) return -EINVAL;
    shape(slot, size, is_bold, is_slanted);
    FT_Outline_Funcs functions = {put_move, put_line, put_conic, put_cubic, 0, 0};
    outline_writer writer = {steps, 0, capacity};
    return FT_Outline_Decompose(&slot->outline, &functions, &writer) ? -ERANGE : writer.count;
}

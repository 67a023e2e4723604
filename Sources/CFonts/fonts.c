#include "CFonts.h"

// TALON_FONTS: the folder that `board/prepare` leaves the subsets in.
#define FACE(name, file)                                                                                    \
    __asm__(".section .rodata.talon_fonts,\"a\",%progbits\n"                                                 \
            ".balign 16\n"                                                                                   \
            ".global " #name "\n" #name ":\n"                                                                \
            ".incbin \"" TALON_FONTS "/" file "\"\n"                                                         \
            ".global " #name "_end\n" #name "_end:\n"                                                        \
            ".byte 0\n"                                                                                      \
            ".text\n");                                                                                      \
    extern const uint8_t name[], name##_end[];

FACE(tl_font_sans, "sans.otf")
FACE(tl_font_sans_bold, "sans-bold.otf")
FACE(tl_font_mono, "mono.ttf")
FACE(tl_font_symbols, "symbols.ttf")
FACE(tl_font_arabic, "arabic.ttf")
FACE(tl_font_arabic_bold, "arabic-bold.ttf")
FACE(tl_font_hebrew, "hebrew.ttf")
FACE(tl_font_hebrew_bold, "hebrew-bold.ttf")

const uint8_t *tl_font(int32_t face, int64_t *count) {
    const uint8_t *start[] = {tl_font_sans,   tl_font_sans_bold,   tl_font_mono,   tl_font_symbols,
                              tl_font_arabic, tl_font_arabic_bold, tl_font_hebrew, tl_font_hebrew_bold};
    const uint8_t *end[] = {tl_font_sans_end,   tl_font_sans_bold_end,   tl_font_mono_end,   tl_font_symbols_end,
                            tl_font_arabic_end, tl_font_arabic_bold_end, tl_font_hebrew_end, tl_font_hebrew_bold_end};
    *count = end[face] - start[face];
    return start[face];
}

#include "CUnicode.h"

// TALON_UNICODE: the folder that `board/prepare` leaves the table in.
__asm__(".section .rodata.talon_unicode,\"a\",%progbits\n"
        ".balign 16\n"
        ".global tl_unicode_runs\ntl_unicode_runs:\n"
        ".incbin \"" TALON_UNICODE "/properties.bin\"\n"
        ".global tl_unicode_runs_end\ntl_unicode_runs_end:\n"
        ".long 0\n"
        ".text\n");
extern const uint32_t tl_unicode_runs[], tl_unicode_runs_end[];

// In the order of make-unicode.py.
enum { CLASS_H2 = 32, CLASS_LV = 12 };

uint32_t tl_unicode(uint32_t character) {
    if (character > 0x10FFFF) character = 0xFFFD;
    // Each 28th Hangul syllable has no final consonant.
    if (character >= 0xAC00 && character <= 0xD7A3 && (character - 0xAC00) % 28 == 0) return CLASS_H2 << 5 | CLASS_LV;
    uint32_t low = 0, high = (uint32_t)(tl_unicode_runs_end - tl_unicode_runs);
    // The last run that begins at the character or before it; the first begins at 0.
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (tl_unicode_runs[middle] >> 11 <= character) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return tl_unicode_runs[low] & 0x7FF;
}

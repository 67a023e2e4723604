#include "CLocales.h"

// TALON_LOCALES: the folder of the tables. A build notices no change of theirs but by a change of this file: touch it.
#define TABLE(name, file)                                                                                  \
    __asm__(".section .rodata.talon_locales,\"a\",%progbits\n"                                             \
            ".global " #name "\n" #name ":\n"                                                              \
            ".incbin \"" TALON_LOCALES "/" file "\"\n"                                                     \
            ".global " #name "_end\n" #name "_end:\n"                                                      \
            ".byte 0\n"                                                                                    \
            ".text\n");                                                                                    \
    extern const uint8_t name[], name##_end[];

TABLE(tl_locales_table, "locales.tsv")
TABLE(tl_keyboards_table, "keyboards.tsv")

const uint8_t *tl_locales(int64_t *count) {
    *count = tl_locales_table_end - tl_locales_table;
    return tl_locales_table;
}

const uint8_t *tl_keyboards(int64_t *count) {
    *count = tl_keyboards_table_end - tl_keyboards_table;
    return tl_keyboards_table;
}

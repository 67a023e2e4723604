// How dates and numbers are written in the languages that Talon knows: locales.tsv, which board/lib/make-locales.py makes,
// and the keyboards of a screen: keyboards.tsv, which is written by hand.

#ifndef CLOCALES_H
#define CLOCALES_H

#include <stdint.h>

/// The table, UTF-8, and how many bytes it has.
const uint8_t *tl_locales(int64_t *count);

/// The letters of keyboards: keyboards.tsv.
const uint8_t *tl_keyboards(int64_t *count);

#endif

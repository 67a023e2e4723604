// quirc, whose sources are fetched by board/prepare; Debian 12 has none of it. Without its assertions: a picture that would break one is
// read wrongly at worst, and must not end the program.

#define NDEBUG

#include <stdlib.h>

// quirc's `abs` is of distances in a picture or a code, and of the area of one module, after which it looks around for an alignment pattern.
// In a distorted picture the area may come out as anything, and 400 x 300 pixels then took 2 s on a PC. Of no picture that Talon looks at
// (1280 pixels a side, 25 modules of a code at least) is it more than this.
#define TL_LARGEST_DISTANCE 4096

static inline int tl_distance(int difference) {
    if (difference <= -TL_LARGEST_DISTANCE || difference >= TL_LARGEST_DISTANCE) return TL_LARGEST_DISTANCE;
    return difference < 0 ? -difference : difference;
}

#define abs tl_distance

#include <decode.c>
#include <identify.c>
#include <quirc.c>
#include <version_db.c>

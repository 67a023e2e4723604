// gzip (RFC 1952) by zlib.

#ifndef CZLIB_H
#define CZLIB_H

#include <stdint.h>

/// Packs `count` bytes. Returns the bytes in `packed`, -ENOSPC when `room` is not enough, or another negated errno.
int64_t tl_gzip(const uint8_t *bytes, int64_t count, uint8_t *packed, int64_t room);

#endif

#include "CZlib.h"

#include <errno.h>
#include <zlib.h>

// zlib.h, deflateInit2: 15 bits of window, and 16 more for the header and the check of gzip; 8 is its usual memory level.
enum { gzip_window = 15 + 16, usual_memory = 8 };

int64_t tl_gzip(const uint8_t *bytes, int64_t count, uint8_t *packed, int64_t room) {
    z_stream stream = {0};
    if (count < 0 || room < 0 || count > UINT32_MAX || room > UINT32_MAX) return -EINVAL;
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, usual_memory, Z_DEFAULT_STRATEGY) != Z_OK)
        return -ENOMEM;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    int result = deflate(&stream, Z_FINISH);
    int64_t length = (int64_t)stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? length : -ENOSPC;
}

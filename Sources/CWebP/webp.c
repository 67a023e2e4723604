#include "CWebP.h"

#include <errno.h>
#include <webp/decode.h>
#include <webp/demux.h>

// The bitstream of the first frame; a picture that does not move is its own.
static int32_t features(const uint8_t **bytes, size_t *count, WebPBitstreamFeatures *result) {
    if (WebPGetFeatures(*bytes, *count, result) != VP8_STATUS_OK) return -EBADMSG;
    if (!result->has_animation) return 0;
    WebPData data = {*bytes, *count};
    WebPIterator frame;
    WebPDemuxer *demuxer = WebPDemux(&data);
    if (!demuxer) return -EBADMSG;
    int32_t code = -EBADMSG;
    if (WebPDemuxGetFrame(demuxer, 1, &frame)) {
        *bytes = frame.fragment.bytes;
        *count = frame.fragment.size;
        code = WebPGetFeatures(*bytes, *count, result) == VP8_STATUS_OK ? 0 : -EBADMSG;
        WebPDemuxReleaseIterator(&frame);
    }
    WebPDemuxDelete(demuxer);
    return code;
}

int32_t tl_webp_size(const uint8_t *bytes, int64_t count, int32_t *width, int32_t *height) {
    WebPBitstreamFeatures found;
    size_t length = (size_t)count;
    int32_t code = features(&bytes, &length, &found);
    if (code < 0) return code;
    *width = found.width;
    *height = found.height;
    return 0;
}

int32_t tl_webp_decode(const uint8_t *bytes, int64_t count, int32_t width, int32_t height, uint32_t *pixels) {
    WebPDecoderConfig config;
    size_t length = (size_t)count;
    if (!WebPInitDecoderConfig(&config)) return -EINVAL;
    int32_t code = features(&bytes, &length, &config.input);
    if (code < 0) return code;
    if (width != config.input.width || height != config.input.height) {
        config.options.use_scaling = 1;
        config.options.scaled_width = width;
        config.options.scaled_height = height;
    }
    config.output.colorspace = MODE_bgrA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = (uint8_t *)pixels;
    config.output.u.RGBA.stride = width * 4;
    config.output.u.RGBA.size = (size_t)width * 4 * (size_t)height;
    switch (WebPDecode(bytes, length, &config)) {
    case VP8_STATUS_OK: return 0;
    case VP8_STATUS_OUT_OF_MEMORY: return -ENOMEM;
    default: return -EBADMSG;
    }
}

#include "tl_v4l2.h"

#include <linux/videodev2.h>
#include <string.h>

#include "tl_calls.h"

#define CAPTURE V4L2_BUF_TYPE_VIDEO_CAPTURE

int64_t tl_video_query(int32_t fd, tl_video_card *out) {
    struct v4l2_capability found = {0};
    int64_t result = tl_ioctl(fd, VIDIOC_QUERYCAP, &found);
    if (result < 0) return result;
    // The device has the capabilities of all its nodes; this node's own are in device_caps.
    uint32_t own = found.capabilities & V4L2_CAP_DEVICE_CAPS ? found.device_caps : found.capabilities;
    out->can_capture = (own & V4L2_CAP_VIDEO_CAPTURE) && (own & V4L2_CAP_STREAMING);
    memcpy(out->card, found.card, sizeof found.card);
    out->card[sizeof found.card] = 0;
    return 0;
}

int64_t tl_video_format(int32_t fd, uint32_t index, uint32_t *fourcc) {
    struct v4l2_fmtdesc found = {.index = index, .type = CAPTURE};
    int64_t result = tl_ioctl(fd, VIDIOC_ENUM_FMT, &found);
    *fourcc = found.pixelformat;
    return result;
}

int64_t tl_video_frame_sizes(int32_t fd, uint32_t fourcc, uint32_t index, tl_video_sizes *out) {
    struct v4l2_frmsizeenum found = {.index = index, .pixel_format = fourcc};
    int64_t result = tl_ioctl(fd, VIDIOC_ENUM_FRAMESIZES, &found);
    if (result < 0) return result;
    if (found.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
        uint32_t width = found.discrete.width, height = found.discrete.height;
        *out = (tl_video_sizes){width, width, 0, height, height, 0};
    } else {
        *out = (tl_video_sizes){found.stepwise.min_width,  found.stepwise.max_width,  found.stepwise.step_width,
                                found.stepwise.min_height, found.stepwise.max_height, found.stepwise.step_height};
    }
    return 0;
}

int64_t tl_video_set_picture(int32_t fd, tl_video_picture *picture) {
    struct v4l2_format format = {.type = CAPTURE};
    format.fmt.pix.pixelformat = picture->fourcc;
    format.fmt.pix.width = picture->width;
    format.fmt.pix.height = picture->height;
    format.fmt.pix.field = V4L2_FIELD_NONE;
    int64_t result = tl_ioctl(fd, VIDIOC_S_FMT, &format);
    if (result < 0) return result;
    const struct v4l2_pix_format *given = &format.fmt.pix;
    uint32_t range = given->quantization;
    if (range == V4L2_QUANTIZATION_DEFAULT)
        range = V4L2_MAP_QUANTIZATION_DEFAULT(0, given->colorspace, given->ycbcr_enc);
    *picture = (tl_video_picture){given->pixelformat,  given->width,     given->height,
                                  given->bytesperline, given->sizeimage, range == V4L2_QUANTIZATION_FULL_RANGE};
    return 0;
}

int64_t tl_video_request_buffers(int32_t fd, uint32_t count) {
    struct v4l2_requestbuffers request = {.count = count, .type = CAPTURE, .memory = V4L2_MEMORY_MMAP};
    int64_t result = tl_ioctl(fd, VIDIOC_REQBUFS, &request);
    return result < 0 ? result : request.count;
}

static struct v4l2_buffer buffer_at(uint32_t index) {
    return (struct v4l2_buffer){.index = index, .type = CAPTURE, .memory = V4L2_MEMORY_MMAP};
}

int64_t tl_video_buffer(int32_t fd, uint32_t index, uint32_t *length, uint32_t *offset) {
    struct v4l2_buffer buffer = buffer_at(index);
    int64_t result = tl_ioctl(fd, VIDIOC_QUERYBUF, &buffer);
    *length = buffer.length;
    *offset = buffer.m.offset;
    return result;
}

int64_t tl_video_queue(int32_t fd, uint32_t index) {
    struct v4l2_buffer buffer = buffer_at(index);
    return tl_ioctl(fd, VIDIOC_QBUF, &buffer);
}

int64_t tl_video_dequeue(int32_t fd, tl_video_filled *out) {
    struct v4l2_buffer buffer = buffer_at(0);
    int64_t result = tl_ioctl(fd, VIDIOC_DQBUF, &buffer);
    *out = (tl_video_filled){buffer.index, buffer.bytesused, (buffer.flags & V4L2_BUF_FLAG_ERROR) != 0};
    return result;
}

int64_t tl_video_stream(int32_t fd, int32_t on) {
    enum v4l2_buf_type type = CAPTURE;
    return tl_ioctl(fd, on ? VIDIOC_STREAMON : VIDIOC_STREAMOFF, &type);
}

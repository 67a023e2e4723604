#include "tl_v4l2.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <string.h>

#include "tl_calls.h"

#define SINGLE V4L2_BUF_TYPE_VIDEO_CAPTURE
#define MULTI V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE

// Texts of the kernel have a fixed size, and an end only if they are shorter.
static void copy_text(char *out, const void *text, size_t size) {
    memcpy(out, text, size);
    out[size] = 0;
}

// A device that wakes up, or a bus that was disturbed, refuses a call once and allows it the next time. A call that only asks
// or sets a value is made again, once, unless the refusal is the answer: nothing of that kind, no such value, not allowed.
static int64_t ask(int32_t fd, uint64_t request, void *argument) {
    int64_t result = tl_ioctl(fd, request, argument);
    switch (result) {
    case -EINVAL: case -ENOTTY: case -ERANGE: case -EACCES: case -EPERM: return result;
    default: return result < 0 ? tl_ioctl(fd, request, argument) : result;
    }
}

// The same for a question that every camera answers: no refusal is an answer.
static int64_t insist(int32_t fd, uint64_t request, void *argument) {
    int64_t result = tl_ioctl(fd, request, argument);
    return result < 0 ? tl_ioctl(fd, request, argument) : result;
}

int64_t tl_video_query(int32_t fd, tl_video_card *out) {
    struct v4l2_capability found = {0};
    int64_t result = insist(fd, VIDIOC_QUERYCAP, &found);
    if (result < 0) return result;
    // The device has the capabilities of all its nodes; this node's own are in device_caps.
    uint32_t own = found.capabilities & V4L2_CAP_DEVICE_CAPS ? found.device_caps : found.capabilities;
    out->type = 0;
    if (own & V4L2_CAP_VIDEO_CAPTURE) out->type = SINGLE;
    if (own & V4L2_CAP_VIDEO_CAPTURE_MPLANE) out->type = MULTI;
    if (!(own & V4L2_CAP_STREAMING)) out->type = 0;
    copy_text(out->driver, found.driver, sizeof found.driver);
    copy_text(out->card, found.card, sizeof found.card);
    copy_text(out->bus, found.bus_info, sizeof found.bus_info);
    return 0;
}

int64_t tl_video_has_signal(int32_t fd) {
    int number = 0;
    int64_t result = ask(fd, VIDIOC_G_INPUT, &number);
    if (result < 0) return result;
    struct v4l2_input input = {.index = (uint32_t)number};
    result = ask(fd, VIDIOC_ENUMINPUT, &input);
    if (result < 0) return result;
    const uint32_t missing = V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL | V4L2_IN_ST_NO_H_LOCK | V4L2_IN_ST_NO_SYNC;
    return !(input.status & missing);
}

int64_t tl_video_format(int32_t fd, uint32_t type, uint32_t index, uint32_t *fourcc) {
    struct v4l2_fmtdesc found = {.index = index, .type = type};
    int64_t result = (index ? ask : insist)(fd, VIDIOC_ENUM_FMT, &found);
    *fourcc = found.pixelformat;
    return result;
}

int64_t tl_video_frame_sizes(int32_t fd, uint32_t fourcc, uint32_t index, tl_video_sizes *out) {
    struct v4l2_frmsizeenum found = {.index = index, .pixel_format = fourcc};
    int64_t result = ask(fd, VIDIOC_ENUM_FRAMESIZES, &found);
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

int64_t tl_video_frame_interval(int32_t fd, uint32_t fourcc, uint32_t width, uint32_t height, uint32_t index,
                                tl_video_interval *out) {
    struct v4l2_frmivalenum found = {.index = index, .pixel_format = fourcc, .width = width, .height = height};
    int64_t result = ask(fd, VIDIOC_ENUM_FRAMEINTERVALS, &found);
    if (result < 0) return result;
    if (found.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
        const struct v4l2_fract only = found.discrete;
        *out = (tl_video_interval){only.numerator, only.denominator, only.numerator, only.denominator, 0};
    } else {
        const struct v4l2_fract least = found.stepwise.min, most = found.stepwise.max;
        *out = (tl_video_interval){least.numerator, least.denominator, most.numerator, most.denominator, 1};
    }
    return 0;
}

// What is gray alone comes of sensors without colour filters, as raw as Bayer, and uses all values.
static int32_t is_full_range(uint32_t range, uint32_t colorspace, uint32_t fourcc) {
    int is_gray = fourcc == V4L2_PIX_FMT_GREY || fourcc == V4L2_PIX_FMT_Y10;
    if (range == V4L2_QUANTIZATION_DEFAULT && is_gray) return 1;
    if (range == V4L2_QUANTIZATION_DEFAULT) range = V4L2_MAP_QUANTIZATION_DEFAULT(0, colorspace, 0);
    return range == V4L2_QUANTIZATION_FULL_RANGE;
}

static void read_single(const struct v4l2_pix_format *given, tl_video_picture *out) {
    *out = (tl_video_picture){
        .fourcc = given->pixelformat, .width = given->width, .height = given->height, .planes = 1,
        .bytes_per_line = {given->bytesperline}, .image_bytes = {given->sizeimage},
        .is_full_range = is_full_range(given->quantization, given->colorspace, given->pixelformat)};
}

static int64_t read_multi(const struct v4l2_pix_format_mplane *given, tl_video_picture *out) {
    if (given->num_planes < 1 || given->num_planes > TL_VIDEO_PLANES) return -EINVAL;
    *out = (tl_video_picture){
        .fourcc = given->pixelformat, .width = given->width, .height = given->height, .planes = given->num_planes,
        .is_full_range = is_full_range(given->quantization, given->colorspace, given->pixelformat)};
    for (uint32_t plane = 0; plane < out->planes; plane++) {
        out->bytes_per_line[plane] = given->plane_fmt[plane].bytesperline;
        out->image_bytes[plane] = given->plane_fmt[plane].sizeimage;
    }
    return 0;
}

static int64_t negotiate(int32_t fd, uint64_t request, uint32_t type, tl_video_picture *picture) {
    struct v4l2_format format = {.type = type};
    if (type == MULTI) {
        struct v4l2_pix_format_mplane *wanted = &format.fmt.pix_mp;
        wanted->pixelformat = picture->fourcc;
        wanted->width = picture->width;
        wanted->height = picture->height;
        wanted->field = V4L2_FIELD_NONE;
    } else {
        struct v4l2_pix_format *wanted = &format.fmt.pix;
        wanted->pixelformat = picture->fourcc;
        wanted->width = picture->width;
        wanted->height = picture->height;
        wanted->field = V4L2_FIELD_NONE;
    }
    int64_t result = ask(fd, request, &format);
    if (result < 0) return result;
    if (type == MULTI) return read_multi(&format.fmt.pix_mp, picture);
    read_single(&format.fmt.pix, picture);
    return 0;
}

int64_t tl_video_set_picture(int32_t fd, uint32_t type, tl_video_picture *picture) {
    return negotiate(fd, VIDIOC_S_FMT, type, picture);
}

int64_t tl_video_try_picture(int32_t fd, uint32_t type, tl_video_picture *picture) {
    return negotiate(fd, VIDIOC_TRY_FMT, type, picture);
}

static int64_t interval(int32_t fd, uint64_t request, uint32_t type, uint32_t *numerator, uint32_t *denominator) {
    struct v4l2_streamparm stream = {.type = type};
    struct v4l2_fract *time = &stream.parm.capture.timeperframe;
    *time = (struct v4l2_fract){*numerator, *denominator};
    int64_t result = ask(fd, request, &stream);
    if (result < 0) return result;
    *numerator = time->numerator;
    *denominator = time->denominator;
    return 0;
}

int64_t tl_video_set_interval(int32_t fd, uint32_t type, uint32_t *numerator, uint32_t *denominator) {
    return interval(fd, VIDIOC_S_PARM, type, numerator, denominator);
}

int64_t tl_video_interval_now(int32_t fd, uint32_t type, uint32_t *numerator, uint32_t *denominator) {
    return interval(fd, VIDIOC_G_PARM, type, numerator, denominator);
}

int64_t tl_video_request_buffers(int32_t fd, uint32_t type, uint32_t count) {
    struct v4l2_requestbuffers request = {.count = count, .type = type, .memory = V4L2_MEMORY_MMAP};
    int64_t result = tl_ioctl(fd, VIDIOC_REQBUFS, &request);
    return result < 0 ? result : request.count;
}

// A buffer's planes may be more than we use; the kernel is given room for all that there can be.
typedef struct {
    struct v4l2_buffer buffer;
    struct v4l2_plane planes[VIDEO_MAX_PLANES];
} described;

static struct v4l2_buffer *describe(described *space, uint32_t type, uint32_t index, uint32_t planes) {
    memset(space, 0, sizeof *space);
    space->buffer = (struct v4l2_buffer){.index = index, .type = type, .memory = V4L2_MEMORY_MMAP};
    if (type == MULTI) {
        space->buffer.m.planes = space->planes;
        space->buffer.length = planes;
    }
    return &space->buffer;
}

int64_t tl_video_buffer(int32_t fd, uint32_t type, uint32_t index, tl_video_memory *out) {
    described space;
    struct v4l2_buffer *buffer = describe(&space, type, index, VIDEO_MAX_PLANES);
    int64_t result = tl_ioctl(fd, VIDIOC_QUERYBUF, buffer);
    if (result < 0) return result;
    if (type != MULTI) {
        *out = (tl_video_memory){.planes = 1, .length = {buffer->length}, .offset = {buffer->m.offset}};
        return 0;
    }
    if (buffer->length < 1 || buffer->length > TL_VIDEO_PLANES) return -EINVAL;
    out->planes = buffer->length;
    for (uint32_t plane = 0; plane < out->planes; plane++) {
        out->length[plane] = space.planes[plane].length;
        out->offset[plane] = space.planes[plane].m.mem_offset;
    }
    return 0;
}

int64_t tl_video_queue(int32_t fd, uint32_t type, uint32_t index, uint32_t planes) {
    described space;
    return tl_ioctl(fd, VIDIOC_QBUF, describe(&space, type, index, planes));
}

int64_t tl_video_dequeue(int32_t fd, uint32_t type, tl_video_filled *out) {
    described space;
    struct v4l2_buffer *buffer = describe(&space, type, 0, VIDEO_MAX_PLANES);
    int64_t result = tl_ioctl(fd, VIDIOC_DQBUF, buffer);
    if (result < 0) return result;
    *out = (tl_video_filled){
        .index = buffer->index, .is_damaged = (buffer->flags & V4L2_BUF_FLAG_ERROR) != 0,
        .is_monotonic = (buffer->flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC,
        .microseconds = (int64_t)buffer->timestamp.tv_sec * 1000000 + buffer->timestamp.tv_usec};
    if (type != MULTI) {
        out->bytes_used[0] = buffer->bytesused;
        return 0;
    }
    for (uint32_t plane = 0; plane < buffer->length && plane < TL_VIDEO_PLANES; plane++) {
        out->bytes_used[plane] = space.planes[plane].bytesused;
        out->data_offset[plane] = space.planes[plane].data_offset;
    }
    return 0;
}

int64_t tl_video_stream(int32_t fd, uint32_t type, int32_t on) {
    enum v4l2_buf_type which = type;
    return tl_ioctl(fd, on ? VIDIOC_STREAMON : VIDIOC_STREAMOFF, &which);
}

int64_t tl_video_find_control(int32_t fd, uint32_t id, tl_video_control *out) {
    struct v4l2_queryctrl found = {.id = id};
    int64_t result = ask(fd, VIDIOC_QUERYCTRL, &found);
    if (result < 0) return result;
    *out = (tl_video_control){
        .id = found.id, .type = found.type, .flags = found.flags, .minimum = found.minimum, .maximum = found.maximum,
        .step = found.step, .home = found.default_value};
    copy_text(out->name, found.name, sizeof found.name);
    return 0;
}

int64_t tl_video_menu_item(int32_t fd, uint32_t id, uint32_t index, tl_video_text *out) {
    struct v4l2_querymenu found = {.id = id, .index = index};
    int64_t result = ask(fd, VIDIOC_QUERYMENU, &found);
    if (result >= 0) copy_text(out->text, found.name, sizeof found.name);
    return result;
}

int64_t tl_video_control_value(int32_t fd, uint32_t id, int32_t *out) {
    struct v4l2_control control = {.id = id};
    int64_t result = ask(fd, VIDIOC_G_CTRL, &control);
    *out = control.value;
    return result;
}

int64_t tl_video_set_control(int32_t fd, uint32_t id, int32_t value) {
    struct v4l2_control control = {.id = id, .value = value};
    return ask(fd, VIDIOC_S_CTRL, &control);
}

int64_t tl_video_wide_control(int32_t fd, uint32_t id, int64_t *out) {
    struct v4l2_ext_control control = {.id = id};
    struct v4l2_ext_controls controls = {.which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &control};
    int64_t result = ask(fd, VIDIOC_G_EXT_CTRLS, &controls);
    *out = control.value64;
    return result;
}

const uint32_t TL_CONTROL_NEXT = V4L2_CTRL_FLAG_NEXT_CTRL;
const uint32_t TL_CONTROL_DISABLED = V4L2_CTRL_FLAG_DISABLED, TL_CONTROL_READ_ONLY = V4L2_CTRL_FLAG_READ_ONLY,
               TL_CONTROL_WRITE_ONLY = V4L2_CTRL_FLAG_WRITE_ONLY, TL_CONTROL_INACTIVE = V4L2_CTRL_FLAG_INACTIVE,
               TL_CONTROL_GRABBED = V4L2_CTRL_FLAG_GRABBED;
const uint32_t TL_CONTROL_INTEGER = V4L2_CTRL_TYPE_INTEGER, TL_CONTROL_BOOLEAN = V4L2_CTRL_TYPE_BOOLEAN,
               TL_CONTROL_MENU = V4L2_CTRL_TYPE_MENU, TL_CONTROL_BUTTON = V4L2_CTRL_TYPE_BUTTON,
               TL_CONTROL_BITMASK = V4L2_CTRL_TYPE_BITMASK, TL_CONTROL_INTEGER_MENU = V4L2_CTRL_TYPE_INTEGER_MENU;
const uint32_t TL_EXPOSURE_AUTO = V4L2_CID_EXPOSURE_AUTO, TL_EXPOSURE_ABSOLUTE = V4L2_CID_EXPOSURE_ABSOLUTE,
               TL_EXPOSURE = V4L2_CID_EXPOSURE, TL_AUTOGAIN = V4L2_CID_AUTOGAIN, TL_GAIN = V4L2_CID_GAIN,
               TL_ANALOGUE_GAIN = V4L2_CID_ANALOGUE_GAIN, TL_AUTO_WHITE_BALANCE = V4L2_CID_AUTO_WHITE_BALANCE,
               TL_WHITE_BALANCE_TEMPERATURE = V4L2_CID_WHITE_BALANCE_TEMPERATURE,
               TL_FOCUS_AUTO = V4L2_CID_FOCUS_AUTO, TL_FOCUS_ABSOLUTE = V4L2_CID_FOCUS_ABSOLUTE,
               TL_POWER_LINE_FREQUENCY = V4L2_CID_POWER_LINE_FREQUENCY, TL_PAN_ABSOLUTE = V4L2_CID_PAN_ABSOLUTE,
               TL_TILT_ABSOLUTE = V4L2_CID_TILT_ABSOLUTE, TL_ZOOM_ABSOLUTE = V4L2_CID_ZOOM_ABSOLUTE,
               TL_PIXEL_RATE = V4L2_CID_PIXEL_RATE, TL_HBLANK = V4L2_CID_HBLANK,
               TL_REPEAT_SEQ_HEADER = V4L2_CID_MPEG_VIDEO_REPEAT_SEQ_HEADER,
               TL_GOP_SIZE = V4L2_CID_MPEG_VIDEO_GOP_SIZE, TL_H264_I_PERIOD = V4L2_CID_MPEG_VIDEO_H264_I_PERIOD;

#include "tl_m2m.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <string.h>

#include "tl_calls.h"

#define PLANES 3

static enum v4l2_buf_type type_of(const tl_m2m *device, int32_t queue) {
    if (queue == TL_M2M_RAW)
        return device->is_planar ? V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE : V4L2_BUF_TYPE_VIDEO_OUTPUT;
    return device->is_planar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE;
}

int64_t tl_m2m_query(tl_m2m *device) {
    struct v4l2_capability found = {0};
    int64_t result = tl_ioctl(device->fd, VIDIOC_QUERYCAP, &found);
    if (result < 0) return result;
    // The device has the capabilities of all its nodes; this node's own are in device_caps.
    uint32_t own = found.capabilities & V4L2_CAP_DEVICE_CAPS ? found.device_caps : found.capabilities;
    device->is_planar = (own & V4L2_CAP_VIDEO_M2M_MPLANE) != 0;
    return (own & (V4L2_CAP_VIDEO_M2M | V4L2_CAP_VIDEO_M2M_MPLANE)) && (own & V4L2_CAP_STREAMING);
}

int64_t tl_m2m_format(const tl_m2m *device, int32_t queue, uint32_t index, uint32_t *fourcc) {
    struct v4l2_fmtdesc found = {.index = index, .type = type_of(device, queue)};
    int64_t result = tl_ioctl(device->fd, VIDIOC_ENUM_FMT, &found);
    *fourcc = found.pixelformat;
    return result;
}

static void fill_planar(struct v4l2_pix_format_mplane *format, const tl_m2m_picture *wanted) {
    format->pixelformat = wanted->fourcc;
    format->width = wanted->width;
    format->height = wanted->height;
    format->field = V4L2_FIELD_NONE;
    format->colorspace = wanted->is_full_range ? V4L2_COLORSPACE_JPEG : V4L2_COLORSPACE_SMPTE170M;
    format->num_planes = wanted->planes > PLANES ? PLANES : wanted->planes;
    for (uint32_t plane = 0; plane < format->num_planes; plane++)
        format->plane_fmt[plane].sizeimage = wanted->image_bytes[plane];
}

static int64_t granted_planar(const struct v4l2_pix_format_mplane *format, tl_m2m_picture *picture) {
    if (format->num_planes < 1 || format->num_planes > PLANES) return -EINVAL;
    picture->fourcc = format->pixelformat;
    picture->width = format->width;
    picture->height = format->height;
    picture->planes = format->num_planes;
    for (uint32_t plane = 0; plane < picture->planes; plane++) {
        picture->image_bytes[plane] = format->plane_fmt[plane].sizeimage;
        picture->row_bytes[plane] = format->plane_fmt[plane].bytesperline;
    }
    return 0;
}

int64_t tl_m2m_set_format(const tl_m2m *device, int32_t queue, tl_m2m_picture *picture) {
    struct v4l2_format format = {.type = type_of(device, queue)};
    if (device->is_planar) {
        fill_planar(&format.fmt.pix_mp, picture);
        int64_t result = tl_ioctl(device->fd, VIDIOC_S_FMT, &format);
        return result < 0 ? result : granted_planar(&format.fmt.pix_mp, picture);
    }
    struct v4l2_pix_format *pix = &format.fmt.pix;
    pix->pixelformat = picture->fourcc;
    pix->width = picture->width;
    pix->height = picture->height;
    pix->field = V4L2_FIELD_NONE;
    pix->colorspace = picture->is_full_range ? V4L2_COLORSPACE_JPEG : V4L2_COLORSPACE_SMPTE170M;
    pix->sizeimage = picture->image_bytes[0];
    int64_t result = tl_ioctl(device->fd, VIDIOC_S_FMT, &format);
    if (result < 0) return result;
    picture->fourcc = pix->pixelformat;
    picture->width = pix->width;
    picture->height = pix->height;
    picture->planes = 1;
    picture->image_bytes[0] = pix->sizeimage;
    picture->row_bytes[0] = pix->bytesperline;
    return 0;
}

int64_t tl_m2m_crop(const tl_m2m *device, uint32_t width, uint32_t height) {
    // The type without planes, whatever the kind (kernel: vidioc-g-selection).
    struct v4l2_selection selection = {
        .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .target = V4L2_SEL_TGT_CROP, .r = {0, 0, width, height}};
    int64_t result = tl_ioctl(device->fd, VIDIOC_S_SELECTION, &selection);
    if (result < 0) return result;
    return selection.r.width == width && selection.r.height == height ? 0 : -EINVAL;
}

int64_t tl_m2m_rate(const tl_m2m *device, uint32_t pictures_per_kilosecond) {
    struct v4l2_streamparm parameters = {.type = type_of(device, TL_M2M_RAW)};
    parameters.parm.output.timeperframe = (struct v4l2_fract){1000, pictures_per_kilosecond};
    return tl_ioctl(device->fd, VIDIOC_S_PARM, &parameters);
}

static const uint32_t controls[TL_M2M_CONTROLS] = {
    [TL_M2M_BITRATE] = V4L2_CID_MPEG_VIDEO_BITRATE,
    [TL_M2M_BITRATE_PEAK] = V4L2_CID_MPEG_VIDEO_BITRATE_PEAK,
    [TL_M2M_BITRATE_MODE] = V4L2_CID_MPEG_VIDEO_BITRATE_MODE,
    [TL_M2M_GROUP] = V4L2_CID_MPEG_VIDEO_GOP_SIZE,
    [TL_M2M_B_FRAMES] = V4L2_CID_MPEG_VIDEO_B_FRAMES,
    [TL_M2M_REPEAT_HEADER] = V4L2_CID_MPEG_VIDEO_REPEAT_SEQ_HEADER,
    [TL_M2M_HEADER_MODE] = V4L2_CID_MPEG_VIDEO_HEADER_MODE,
    [TL_M2M_KEY_FRAME] = V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME,
    [TL_M2M_H264_PROFILE] = V4L2_CID_MPEG_VIDEO_H264_PROFILE,
    [TL_M2M_H264_LEVEL] = V4L2_CID_MPEG_VIDEO_H264_LEVEL,
    [TL_M2M_H264_GROUP] = V4L2_CID_MPEG_VIDEO_H264_I_PERIOD,
};

int64_t tl_m2m_set(const tl_m2m *device, tl_m2m_control control, int32_t value) {
    struct v4l2_ext_control one = {.id = controls[control], .value = value};
    struct v4l2_ext_controls all = {.which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &one};
    return tl_ioctl(device->fd, VIDIOC_S_EXT_CTRLS, &all);
}

int64_t tl_m2m_request(const tl_m2m *device, int32_t queue, uint32_t count) {
    struct v4l2_requestbuffers request = {
        .count = count, .type = type_of(device, queue), .memory = V4L2_MEMORY_MMAP};
    int64_t result = tl_ioctl(device->fd, VIDIOC_REQBUFS, &request);
    return result < 0 ? result : request.count;
}

// `planes` has PLANES rows, and lives as long as the buffer.
static struct v4l2_buffer buffer_at(
    const tl_m2m *device, int32_t queue, uint32_t index, struct v4l2_plane *planes, uint32_t count) {
    struct v4l2_buffer buffer = {.index = index, .type = type_of(device, queue), .memory = V4L2_MEMORY_MMAP};
    if (!device->is_planar) return buffer;
    memset(planes, 0, PLANES * sizeof *planes);
    buffer.m.planes = planes;
    buffer.length = count;
    return buffer;
}

int64_t tl_m2m_memory_of(const tl_m2m *device, int32_t queue, uint32_t index, tl_m2m_memory *out) {
    struct v4l2_plane planes[PLANES];
    struct v4l2_buffer buffer = buffer_at(device, queue, index, planes, PLANES);
    int64_t result = tl_ioctl(device->fd, VIDIOC_QUERYBUF, &buffer);
    if (result < 0) return result;
    if (!device->is_planar) {
        *out = (tl_m2m_memory){1, {buffer.length}, {buffer.m.offset}};
        return 0;
    }
    if (buffer.length < 1 || buffer.length > PLANES) return -EINVAL;
    out->planes = buffer.length;
    for (uint32_t plane = 0; plane < out->planes; plane++) {
        out->length[plane] = planes[plane].length;
        out->offset[plane] = planes[plane].m.mem_offset;
    }
    return 0;
}

int64_t tl_m2m_queue_raw(const tl_m2m *device, uint32_t index, const tl_m2m_picture *picture, int64_t time) {
    struct v4l2_plane planes[PLANES];
    struct v4l2_buffer buffer = buffer_at(device, TL_M2M_RAW, index, planes, picture->planes);
    buffer.field = V4L2_FIELD_NONE;
    buffer.timestamp.tv_sec = time / 1000000;
    buffer.timestamp.tv_usec = time % 1000000;
    if (!device->is_planar) buffer.bytesused = picture->image_bytes[0];
    for (uint32_t plane = 0; device->is_planar && plane < picture->planes; plane++)
        planes[plane].bytesused = picture->image_bytes[plane];
    return tl_ioctl(device->fd, VIDIOC_QBUF, &buffer);
}

int64_t tl_m2m_queue_coded(const tl_m2m *device, uint32_t index) {
    struct v4l2_plane planes[PLANES];
    struct v4l2_buffer buffer = buffer_at(device, TL_M2M_CODED, index, planes, 1);
    return tl_ioctl(device->fd, VIDIOC_QBUF, &buffer);
}

int64_t tl_m2m_dequeue(const tl_m2m *device, int32_t queue, tl_m2m_buffer *out) {
    struct v4l2_plane planes[PLANES];
    struct v4l2_buffer buffer = buffer_at(device, queue, 0, planes, PLANES);
    int64_t result = tl_ioctl(device->fd, VIDIOC_DQBUF, &buffer);
    if (result < 0) return result;
    uint32_t offset = device->is_planar ? planes[0].data_offset : 0;
    uint32_t used = device->is_planar ? planes[0].bytesused : buffer.bytesused;
    *out = (tl_m2m_buffer){
        .index = buffer.index,
        .offset = offset,
        .bytes = used > offset ? used - offset : 0,
        .is_damaged = (buffer.flags & V4L2_BUF_FLAG_ERROR) != 0,
        .is_last = (buffer.flags & V4L2_BUF_FLAG_LAST) != 0,
        .time = (int64_t)buffer.timestamp.tv_sec * 1000000 + buffer.timestamp.tv_usec,
    };
    return 0;
}

int64_t tl_m2m_stream(const tl_m2m *device, int32_t queue, int32_t on) {
    int type = type_of(device, queue);
    return tl_ioctl(device->fd, on ? VIDIOC_STREAMON : VIDIOC_STREAMOFF, &type);
}

int64_t tl_m2m_finish(const tl_m2m *device) {
    struct v4l2_encoder_cmd command = {.cmd = V4L2_ENC_CMD_STOP};
    return tl_ioctl(device->fd, VIDIOC_ENCODER_CMD, &command);
}

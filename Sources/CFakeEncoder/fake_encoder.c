#include "CFakeEncoder.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <string.h>
#include <unistd.h>

#define RAW 0
#define CODED 1
#define PIECE_BYTES (1 << 20)

typedef fake_encoder encoder;

static int queue_of(uint32_t type) {
    return type == V4L2_BUF_TYPE_VIDEO_OUTPUT || type == V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE ? RAW : CODED;
}

static int is_own(const encoder *self, uint32_t type) {
    return self->is_planar ? type == V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE || type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
                           : type == V4L2_BUF_TYPE_VIDEO_OUTPUT || type == V4L2_BUF_TYPE_VIDEO_CAPTURE;
}

static uint32_t offset_of(int queue, uint32_t index, uint32_t piece) {
    return ((uint32_t)queue * FAKE_ENCODER_BUFFERS * 3 + index * 3 + piece) * PIECE_BYTES;
}

static int64_t set_format(encoder *self, struct v4l2_format *format) {
    int queue = queue_of(format->type);
    uint32_t *width = &format->fmt.pix.width, *height = &format->fmt.pix.height;
    if (self->is_planar) {
        width = &format->fmt.pix_mp.width;
        height = &format->fmt.pix_mp.height;
    }
    if (queue == RAW) {
        *width = self->width = (*width + self->block - 1) / self->block * self->block;
        *height = self->height = (*height + self->block - 1) / self->block * self->block;
        // Rows are longer than the picture is wide, as drivers like it.
        self->row_bytes = *width + 32;
    }
    uint32_t whole = queue == CODED ? PIECE_BYTES : self->row_bytes * *height;
    uint32_t pieces = queue == CODED ? 1 : self->pieces;
    if (!self->is_planar) {
        format->fmt.pix.pixelformat = queue == CODED ? V4L2_PIX_FMT_H264 : self->raw_fourcc;
        format->fmt.pix.bytesperline = self->row_bytes;
        format->fmt.pix.sizeimage = queue == CODED ? whole : whole * 3 / 2;
        return 0;
    }
    struct v4l2_pix_format_mplane *planes = &format->fmt.pix_mp;
    planes->pixelformat = queue == CODED ? V4L2_PIX_FMT_H264 : self->raw_fourcc;
    planes->num_planes = (uint8_t)pieces;
    for (uint32_t piece = 0; piece < pieces; piece++) {
        planes->plane_fmt[piece].bytesperline = piece && pieces == 3 ? self->row_bytes / 2 : self->row_bytes;
        planes->plane_fmt[piece].sizeimage = piece ? whole / (pieces == 3 ? 4 : 2) : whole;
    }
    if (pieces == 1 && queue == RAW) planes->plane_fmt[0].sizeimage = whole * 3 / 2;
    return 0;
}

static int64_t set_control(encoder *self, const struct v4l2_ext_control *control) {
    if (self->refuses_controls) return -EINVAL;
    if (control->id == V4L2_CID_MPEG_VIDEO_BITRATE) self->bitrate = (uint32_t)control->value;
    if (control->id == V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME) self->key_frames++;
    return 0;
}

static int64_t query_buffer(encoder *self, struct v4l2_buffer *buffer) {
    int queue = queue_of(buffer->type);
    uint32_t pieces = queue == RAW ? self->pieces : 1;
    if (buffer->index >= self->buffers[queue]) return -EINVAL;
    if (!self->is_planar) {
        buffer->length = PIECE_BYTES;
        buffer->m.offset = offset_of(queue, buffer->index, 0);
        return 0;
    }
    buffer->length = pieces;
    for (uint32_t piece = 0; piece < pieces; piece++) {
        buffer->m.planes[piece].length = PIECE_BYTES;
        buffer->m.planes[piece].m.mem_offset = offset_of(queue, buffer->index, piece);
    }
    return 0;
}

static void push(encoder *self, int queue, uint32_t index, int64_t time, uint32_t bytes, uint32_t flags) {
    uint32_t place = self->ready[queue]++;
    self->done[queue][place].index = index;
    self->done[queue][place].time = time;
    self->done[queue][place].bytes = bytes;
    self->done[queue][place].flags = flags;
}

static void shift(encoder *self, int queue) {
    self->waiting[queue]--;
    memmove(&self->queue[queue][0], &self->queue[queue][1], self->waiting[queue] * sizeof self->queue[queue][0]);
}

// Puts a unit in the next free coded buffer.
static void give(encoder *self, int32_t fd, uint8_t kind, int64_t time, uint32_t flags) {
    const uint8_t unit[] = {0, 0, 0, 1, kind, 0x88, (uint8_t)self->made, 0x80};
    uint32_t index = self->queue[CODED][0].index;
    if (kind && pwrite(fd, unit, sizeof unit, offset_of(CODED, index, 0)) < 0) return;
    shift(self, CODED);
    push(self, CODED, index, time, kind ? sizeof unit : 0, flags);
}

// Works as far as pictures and room go.
static void work(encoder *self, int32_t fd) {
    while (self->waiting[CODED] > 0) {
        if (self->has_own_header && self->made == 0 && self->waiting[RAW] > 0 && !self->given) {
            self->given = 1;
            give(self, fd, 0x67, 0, 0);
            continue;
        }
        uint32_t kept = self->is_ending ? 0 : self->delay;
        if (self->waiting[RAW] <= kept || (self->silent && self->made + 1 >= self->silent)) break;
        self->made++;
        uint32_t flags = self->made == self->damaged ? V4L2_BUF_FLAG_ERROR : 0;
        int is_last = self->is_ending && self->waiting[RAW] == 1 && !self->has_empty_end;
        if (is_last) flags |= V4L2_BUF_FLAG_LAST;
        give(self, fd, self->made == 1 ? 0x65 : 0x41, self->queue[RAW][0].time, flags);
        push(self, RAW, self->queue[RAW][0].index, 0, 0, 0);
        shift(self, RAW);
        if (is_last) self->is_ending = 0, self->has_ended = 1;
    }
    if (self->is_ending && self->waiting[RAW] == 0 && self->waiting[CODED] > 0) {
        give(self, fd, 0, 0, V4L2_BUF_FLAG_LAST);
        self->is_ending = 0;
        self->has_ended = 1;
    }
}

static int64_t enqueue(encoder *self, int32_t fd, const struct v4l2_buffer *buffer) {
    int queue = queue_of(buffer->type);
    if (buffer->index >= self->buffers[queue]) return -EINVAL;
    uint32_t place = self->waiting[queue]++;
    self->queue[queue][place].index = buffer->index;
    self->queue[queue][place].time = (int64_t)buffer->timestamp.tv_sec * 1000000 + buffer->timestamp.tv_usec;
    for (uint32_t piece = 0; queue == RAW && piece < 3; piece++)
        self->last_offset[piece] = offset_of(RAW, buffer->index, piece);
    if (self->streams[RAW]) work(self, fd);
    return 0;
}

static int64_t dequeue(encoder *self, struct v4l2_buffer *buffer) {
    int queue = queue_of(buffer->type);
    if (self->ready[queue] == 0) return queue == CODED && self->has_ended ? -EPIPE : -EAGAIN;
    buffer->index = self->done[queue][0].index;
    buffer->flags = self->done[queue][0].flags;
    buffer->timestamp.tv_sec = self->done[queue][0].time / 1000000;
    buffer->timestamp.tv_usec = self->done[queue][0].time % 1000000;
    if (self->is_planar) {
        buffer->m.planes[0].bytesused = self->done[queue][0].bytes;
        buffer->m.planes[0].data_offset = 0;
    } else {
        buffer->bytesused = self->done[queue][0].bytes;
    }
    self->ready[queue]--;
    memmove(&self->done[queue][0], &self->done[queue][1], self->ready[queue] * sizeof self->done[queue][0]);
    return 0;
}

static int64_t request(encoder *self, struct v4l2_requestbuffers *wanted) {
    int queue = queue_of(wanted->type);
    if (wanted->count > FAKE_ENCODER_BUFFERS) wanted->count = FAKE_ENCODER_BUFFERS;
    self->buffers[queue] = wanted->count;
    self->waiting[queue] = self->ready[queue] = 0;
    return 0;
}

static int64_t crop(encoder *self, const struct v4l2_selection *selection) {
    if (self->refuses_crop) return -ENOTTY;
    self->crop_width = selection->r.width;
    self->crop_height = selection->r.height;
    return 0;
}

static int64_t stop(encoder *self, int32_t fd) {
    if (self->refuses_stop) return -ENOTTY;
    self->stops++;
    self->is_ending = 1;
    work(self, fd);
    return 0;
}

static int64_t query(const encoder *self, struct v4l2_capability *out) {
    out->capabilities = V4L2_CAP_DEVICE_CAPS;
    out->device_caps = V4L2_CAP_STREAMING | (self->is_planar ? V4L2_CAP_VIDEO_M2M_MPLANE : V4L2_CAP_VIDEO_M2M);
    return 0;
}

static int64_t format_at(const encoder *self, struct v4l2_fmtdesc *format) {
    if (format->index > 0 || !is_own(self, format->type)) return -EINVAL;
    format->pixelformat = queue_of(format->type) == CODED ? V4L2_PIX_FMT_H264 : self->raw_fourcc;
    return 0;
}

static int64_t answer(encoder *self, int32_t fd, uint64_t number, void *argument) {
    switch (number) {
    case VIDIOC_QUERYCAP: return query(self, argument);
    case VIDIOC_ENUM_FMT: return format_at(self, argument);
    case VIDIOC_S_FMT: return set_format(self, argument);
    case VIDIOC_S_SELECTION: return crop(self, argument);
    case VIDIOC_S_EXT_CTRLS: return set_control(self, ((struct v4l2_ext_controls *)argument)->controls);
    case VIDIOC_REQBUFS: return request(self, argument);
    case VIDIOC_QUERYBUF: return query_buffer(self, argument);
    case VIDIOC_QBUF: return enqueue(self, fd, argument);
    case VIDIOC_DQBUF: return dequeue(self, argument);
    case VIDIOC_ENCODER_CMD: return stop(self, fd);
    case VIDIOC_STREAMON: return self->streams[queue_of(*(uint32_t *)argument)] = 1, 0;
    case VIDIOC_STREAMOFF: return self->streams[queue_of(*(uint32_t *)argument)] = 0, 0;
    case VIDIOC_S_PARM: {
        const struct v4l2_fract *time = &((struct v4l2_streamparm *)argument)->parm.output.timeperframe;
        self->rate = 1000 * time->denominator / time->numerator;
        return 0;
    }
    default: return -ENOTTY;
    }
}

int fake_encoder_ioctl(void *context, int32_t fd, uint64_t request, void *argument) {
    int64_t result = answer(context, fd, request, argument);
    if (result >= 0) return 0;
    errno = (int)-result;
    return -1;
}

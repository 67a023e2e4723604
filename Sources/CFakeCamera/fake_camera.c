#include "fake_camera.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <string.h>
#include <sys/stat.h>

static int refuse(int reason) {
    errno = reason;
    return -1;
}

static int is_part(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && status.st_size == 0;
}

static int query(struct v4l2_capability *out) {
    memcpy(out->driver, "fake", 5);
    memcpy(out->card, "Fake Camera", 12);
    memcpy(out->bus_info, "usb-fake-1.2", 13);
    out->capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    return 0;
}

// Formats are told once each, in the order of their first mode.
static int format_at(const fake_camera *camera, uint32_t index, uint32_t *fourcc) {
    for (int mode = 0; mode < camera->mode_count; mode++) {
        int seen = 0;
        for (int before = 0; before < mode; before++) seen |= camera->modes[before].fourcc == camera->modes[mode].fourcc;
        if (seen || index--) continue;
        *fourcc = camera->modes[mode].fourcc;
        return 0;
    }
    return refuse(EINVAL);
}

static int size_at(const fake_camera *camera, struct v4l2_frmsizeenum *out) {
    uint32_t index = out->index;
    for (int mode = 0; mode < camera->mode_count; mode++) {
        if (camera->modes[mode].fourcc != out->pixel_format || index--) continue;
        out->type = V4L2_FRMSIZE_TYPE_DISCRETE;
        out->discrete = (struct v4l2_frmsize_discrete){camera->modes[mode].width, camera->modes[mode].height};
        return 0;
    }
    return refuse(EINVAL);
}

static int interval_at(const fake_camera *camera, struct v4l2_frmivalenum *out) {
    for (int mode = 0; mode < camera->mode_count && out->index == 0; mode++) {
        const fake_mode *at = &camera->modes[mode];
        if (at->fourcc != out->pixel_format || at->width != out->width || at->height != out->height || !at->rate) continue;
        out->type = V4L2_FRMIVAL_TYPE_DISCRETE;
        out->discrete = (struct v4l2_fract){1, at->rate};
        return 0;
    }
    return refuse(EINVAL);
}

static int try_format(const fake_camera *camera, struct v4l2_format *format) {
    struct v4l2_pix_format *pix = &format->fmt.pix;
    for (int mode = 0; mode < camera->mode_count; mode++) {
        if (camera->modes[mode].fourcc != pix->pixelformat) continue;
        pix->width = camera->modes[mode].width;
        pix->height = camera->modes[mode].height;
        return 0;
    }
    return refuse(EINVAL);
}

static int start(fake_camera *camera) {
    camera->starts++;
    if (camera->most_pixels && camera->width * camera->height > camera->most_pixels) return refuse(ENOSPC);
    camera->is_streaming = 1;
    camera->looks = 0;
    return 0;
}

static int set_format(fake_camera *camera, struct v4l2_format *format) {
    struct v4l2_pix_format *pix = &format->fmt.pix;
    camera->fourcc = pix->pixelformat;
    camera->width = pix->width;
    camera->height = pix->height;
    pix->bytesperline = 2 * pix->width;
    pix->sizeimage = camera->image_bytes;
    return 0;
}

static int set_interval(fake_camera *camera, struct v4l2_streamparm *stream) {
    struct v4l2_fract time = stream->parm.capture.timeperframe;
    camera->rate = time.denominator / time.numerator;
    return 0;
}

static int request_buffers(fake_camera *camera, struct v4l2_requestbuffers *request) {
    if (camera->is_streaming) return refuse(EBUSY);
    if (request->count) camera->asked_buffers = (int)request->count;
    if (request->count && request->count < camera->least_buffers) request->count = camera->least_buffers;
    if (camera->most_buffers && request->count > camera->most_buffers) {
        if (!camera->grants_fewer) return refuse(ENOMEM);
        request->count = camera->most_buffers;
    }
    camera->buffers = (int)request->count;
    camera->queued = 0;
    return 0;
}

static int query_buffer(const fake_camera *camera, struct v4l2_buffer *buffer) {
    if ((int)buffer->index >= camera->buffers) return refuse(EINVAL);
    buffer->length = camera->image_bytes;
    buffer->m.offset = buffer->index * camera->image_bytes;
    return 0;
}

static int dequeue(fake_camera *camera, struct v4l2_buffer *buffer) {
    if (!camera->is_streaming) return refuse(EINVAL);
    if (camera->next_frame >= camera->frame_count || camera->queued == 0) return refuse(EAGAIN);
    if (camera->queued < camera->least_queued) return refuse(EAGAIN);
    if (camera->looks++ < camera->slowness) return refuse(EAGAIN);
    const fake_frame *frame = &camera->frames[camera->next_frame++];
    if (frame->refusal) return refuse(frame->refusal);
    camera->queued--;
    buffer->index = (uint32_t)((camera->next_frame - 1) % camera->buffers);
    buffer->bytesused = frame->bytes_used;
    buffer->flags = frame->flags;
    buffer->timestamp.tv_sec = frame->seconds;
    buffer->timestamp.tv_usec = frame->microseconds;
    return 0;
}

static int queue(fake_camera *camera, const struct v4l2_buffer *buffer) {
    if ((int)buffer->index >= camera->buffers || camera->queued == camera->buffers) return refuse(EINVAL);
    camera->queued++;
    return 0;
}

static fake_control *control(fake_camera *camera, int fd, uint32_t id) {
    for (int index = 0; index < camera->control_count; index++) {
        fake_control *at = &camera->controls[index];
        if (at->id == id && at->is_part == is_part(fd)) return at;
    }
    return NULL;
}

static int query_control(fake_camera *camera, int fd, struct v4l2_queryctrl *out) {
    fake_control *found = NULL;
    if (out->id & V4L2_CTRL_FLAG_NEXT_CTRL) {
        uint32_t before = out->id & ~V4L2_CTRL_FLAG_NEXT_CTRL;
        for (int index = 0; index < camera->control_count; index++) {
            fake_control *at = &camera->controls[index];
            if (at->is_part == is_part(fd) && at->id > before && (!found || at->id < found->id)) found = at;
        }
    } else {
        found = control(camera, fd, out->id);
    }
    if (!found) return refuse(EINVAL);
    *out = (struct v4l2_queryctrl){.id = found->id, .type = V4L2_CTRL_TYPE_INTEGER, .minimum = found->minimum,
                                   .maximum = found->maximum, .step = found->step, .default_value = found->home,
                                   .flags = found->flags};
    memcpy(out->name, found->name, sizeof out->name);
    return 0;
}

static int is_axis(uint32_t id) {
    return id == V4L2_CID_PAN_ABSOLUTE || id == V4L2_CID_TILT_ABSOLUTE || id == V4L2_CID_ZOOM_ABSOLUTE;
}

static int32_t between(int32_t value, int32_t least, int32_t most) {
    return value < least ? least : value > most ? most : value;
}

static int set_control(fake_camera *camera, int fd, struct v4l2_control *value) {
    fake_control *found = control(camera, fd, value->id);
    if (!found) return refuse(EINVAL);
    if (found->refusal) return refuse(found->refusal);
    if (found->flags & V4L2_CTRL_FLAG_GRABBED) return refuse(EBUSY);
    // Like drivers that do not clamp.
    if (value->value < found->minimum || value->value > found->maximum) return refuse(ERANGE);
    if (is_axis(value->id) && !camera->is_streaming && camera->still_refusal > 0) return refuse(camera->still_refusal);
    if (is_axis(value->id) && !camera->is_streaming && camera->still_refusal < 0) return 0;
    found->target = found->minimum + (value->value - found->minimum) / found->step * found->step;
    if (found->reach) found->target = between(found->target, -found->reach, found->reach);
    if (!found->speed) found->value = found->target;
    return 0;
}

static int get_control(fake_camera *camera, int fd, struct v4l2_control *value) {
    fake_control *found = control(camera, fd, value->id);
    if (!found) return refuse(EINVAL);
    if (is_axis(value->id) && !camera->is_streaming && camera->is_mute) return refuse(camera->still_refusal);
    value->value = found->value;
    if (found->speed) found->value += between(found->target - found->value, -found->speed, found->speed);
    return 0;
}

static int get_wide(fake_camera *camera, int fd, struct v4l2_ext_controls *controls) {
    if (!is_part(fd) || controls->controls->id != V4L2_CID_PIXEL_RATE || !camera->pixel_rate) return refuse(EINVAL);
    controls->controls->value64 = camera->pixel_rate;
    return 0;
}

int fake_camera_ioctl(void *context, int32_t fd, uint64_t request, void *argument) {
    fake_camera *camera = context;
    if (camera->refusals && (request & 0xFF) == camera->refused) {
        if (camera->refusals > 0) camera->refusals--;
        return refuse(camera->refusal);
    }
    switch (request) {
    case VIDIOC_QUERYCTRL: return query_control(camera, fd, argument);
    case VIDIOC_S_CTRL: return set_control(camera, fd, argument);
    case VIDIOC_G_CTRL: return get_control(camera, fd, argument);
    case VIDIOC_G_EXT_CTRLS: return get_wide(camera, fd, argument);
    default: break;
    }
    if (is_part(fd)) return refuse(ENOTTY);
    switch (request) {
    case VIDIOC_QUERYCAP: return query(argument);
    case VIDIOC_G_INPUT: return 0;
    case VIDIOC_ENUMINPUT: ((struct v4l2_input *)argument)->status = camera->input_status; return 0;
    case VIDIOC_ENUM_FMT: {
        struct v4l2_fmtdesc *format = argument;
        return format_at(camera, format->index, &format->pixelformat);
    }
    case VIDIOC_ENUM_FRAMESIZES: return size_at(camera, argument);
    case VIDIOC_ENUM_FRAMEINTERVALS: return interval_at(camera, argument);
    case VIDIOC_TRY_FMT: return try_format(camera, argument);
    case VIDIOC_S_FMT: return set_format(camera, argument);
    case VIDIOC_S_PARM: return set_interval(camera, argument);
    case VIDIOC_REQBUFS: return request_buffers(camera, argument);
    case VIDIOC_QUERYBUF: return query_buffer(camera, argument);
    case VIDIOC_QBUF: return queue(camera, argument);
    case VIDIOC_DQBUF: return dequeue(camera, argument);
    case VIDIOC_STREAMON: return start(camera);
    case VIDIOC_STREAMOFF: camera->is_streaming = 0; return 0;
    default: return refuse(ENOTTY);
    }
}

#include "CV4LConvert.h"

#include <CLinux.h>
#include <errno.h>
#include <libv4l-plugin.h>
#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <stddef.h>
#include <stdlib.h>

struct tl_converter {
    struct v4lconvert_data *data;
};

// MARK: The camera, through the one door to the kernel

static void *camera_init(int fd) {
    (void)fd;
    return NULL;
}

static void camera_close(void *context) { (void)context; }

static int camera_ioctl(void *context, int fd, unsigned long request, void *argument) {
    (void)context;
    int64_t result = tl_ioctl(fd, request, argument);
    if (result >= 0) return (int)result;
    errno = (int)-result;
    return -1;
}

static ssize_t camera_read(void *context, int fd, void *bytes, size_t count) {
    (void)context, (void)fd, (void)bytes, (void)count;
    errno = ENOTSUP;
    return -1;
}

static ssize_t camera_write(void *context, int fd, const void *bytes, size_t count) {
    (void)context, (void)fd, (void)bytes, (void)count;
    errno = ENOTSUP;
    return -1;
}

static const struct libv4l_dev_ops camera = {
    .init = camera_init, .close = camera_close, .ioctl = camera_ioctl, .read = camera_read, .write = camera_write};

// MARK: No camera

// One format that the library does not know keeps it from adding controls of its own.
static int nobody_ioctl(void *context, int fd, unsigned long request, void *argument) {
    (void)context, (void)fd;
    struct v4l2_fmtdesc *format = argument;
    if ((uint32_t)request == (uint32_t)VIDIOC_ENUM_FMT && format->index == 0) {
        format->pixelformat = 0;
        return 0;
    }
    errno = EINVAL;
    return -1;
}

static const struct libv4l_dev_ops nobody = {
    .init = camera_init, .close = camera_close, .ioctl = nobody_ioctl, .read = camera_read, .write = camera_write};

// MARK: Converting

// Else the library keeps controls of its own in a shared-memory file for each stream, and writes to standard error when it
// cannot. Before `main`, because nobody may set the environment while others read it.
__attribute__((constructor)) static void keep_no_controls(void) { setenv("LIBV4LCONTROL_CONTROLS", "0", 0); }

tl_converter *tl_converter_open(int32_t fd) {
    tl_converter *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->data = v4lconvert_create_with_dev_ops(fd, self, fd < 0 ? &nobody : &camera);
    if (self->data) return self;
    free(self);
    return NULL;
}

static struct v4l2_format format_of(const tl_converter_frame *frame, uint32_t fourcc, uint32_t bytes_per_line) {
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    format.fmt.pix.width = frame->width;
    format.fmt.pix.height = frame->height;
    format.fmt.pix.pixelformat = fourcc;
    format.fmt.pix.field = V4L2_FIELD_NONE;
    format.fmt.pix.bytesperline = bytes_per_line;
    return format;
}

int64_t tl_converter_run(tl_converter *self, const tl_converter_frame *frame, uint8_t *source, int32_t source_bytes,
                         uint8_t *result, int32_t result_bytes) {
    struct v4l2_format from = format_of(frame, frame->fourcc, frame->bytes_per_line);
    struct v4l2_format to = format_of(frame, V4L2_PIX_FMT_YUV420, frame->width);
    from.fmt.pix.sizeimage = (uint32_t)source_bytes;
    to.fmt.pix.sizeimage = (uint32_t)result_bytes;
    errno = 0;
    int bytes = v4lconvert_convert(self->data, &from, &to, source, source_bytes, result, result_bytes);
    if (bytes >= 0) return bytes;
    return errno ? -errno : -EIO;
}

void tl_converter_close(tl_converter *self) {
    v4lconvert_destroy(self->data);
    free(self);
}

// Video4Linux2 capture (kernel: userspace-api/media/v4l), as far as one still picture needs it. The
// structures of <linux/videodev2.h> differ between 32-bit and 64-bit boards; here they become plain
// numbers. Every ioctl passes tl_ioctl. Results as in tl_calls.h.

#ifndef TL_V4L2_H
#define TL_V4L2_H

#include <stdint.h>

/// Card and driver name, and whether the node captures single-planar video by streaming.
typedef struct {
    char card[33];
    int32_t can_capture;
} tl_video_card;
/// VIDIOC_QUERYCAP.
int64_t tl_video_query(int32_t fd, tl_video_card *out);

/// VIDIOC_ENUM_FMT: the pixel format (a four-character code) at `index`; -EINVAL behind the last.
int64_t tl_video_format(int32_t fd, uint32_t index, uint32_t *fourcc);

/// Frame sizes of a format: one size (`step_width` 0), or a range with steps.
typedef struct {
    uint32_t least_width, most_width, step_width;
    uint32_t least_height, most_height, step_height;
} tl_video_sizes;
/// VIDIOC_ENUM_FRAMESIZES at `index`; -EINVAL behind the last, -ENOTTY when the driver does not tell.
int64_t tl_video_frame_sizes(int32_t fd, uint32_t fourcc, uint32_t index, tl_video_sizes *out);

/// A picture format: wanted on the way in, granted on the way out.
typedef struct {
    uint32_t fourcc, width, height;
    uint32_t bytes_per_line, image_bytes;
    /// 1 when Y, Cb and Cr use 0...255.
    int32_t is_full_range;
} tl_video_picture;
/// VIDIOC_S_FMT, progressive frames wanted.
int64_t tl_video_set_picture(int32_t fd, tl_video_picture *picture);

/// VIDIOC_REQBUFS for `count` mapped buffers: the count granted.
int64_t tl_video_request_buffers(int32_t fd, uint32_t count);
/// VIDIOC_QUERYBUF: length and offset for mmap of a buffer.
int64_t tl_video_buffer(int32_t fd, uint32_t index, uint32_t *length, uint32_t *offset);
/// VIDIOC_QBUF.
int64_t tl_video_queue(int32_t fd, uint32_t index);

/// A filled buffer.
typedef struct {
    uint32_t index, bytes_used;
    /// 1 when the driver marked its contents as damaged (V4L2_BUF_FLAG_ERROR).
    int32_t is_damaged;
} tl_video_filled;
/// VIDIOC_DQBUF; -EAGAIN when none is filled yet.
int64_t tl_video_dequeue(int32_t fd, tl_video_filled *out);

/// VIDIOC_STREAMON (`on` 1) or VIDIOC_STREAMOFF.
int64_t tl_video_stream(int32_t fd, int32_t on);

#endif

// Video4Linux2 capture (kernel: userspace-api/media/v4l), single- and multi-planar. The structures of
// <linux/videodev2.h> differ between 32-bit and 64-bit boards; here they become plain numbers. Every ioctl passes
// tl_ioctl. What only asks or sets a value is asked again, once, when a driver refuses it. Results as in tl_calls.h.
// `type` is the `type` of tl_video_card.

#ifndef TL_V4L2_H
#define TL_V4L2_H

#include <stdint.h>

/// Planes with memory of their own that a buffer may have.
#define TL_VIDEO_PLANES 3

/// Who a device is, and how it captures.
typedef struct {
    char driver[17], card[33], bus[33];
    /// V4L2_BUF_TYPE_VIDEO_CAPTURE or _MPLANE; 0: the node captures no video by streaming.
    uint32_t type;
} tl_video_card;
/// VIDIOC_QUERYCAP.
int64_t tl_video_query(int32_t fd, tl_video_card *out);

/// VIDIOC_G_INPUT and VIDIOC_ENUMINPUT: 1 when the input in use has a signal, 0 when it has not; -ENOTTY when the
/// driver does not report it.
int64_t tl_video_has_signal(int32_t fd);

/// VIDIOC_ENUM_FMT: the pixel format (a four-character code) at `index`; -EINVAL after the last.
int64_t tl_video_format(int32_t fd, uint32_t type, uint32_t index, uint32_t *fourcc);

/// Frame sizes of a format: one size (`step_width` 0), or a range with steps.
typedef struct {
    uint32_t least_width, most_width, step_width;
    uint32_t least_height, most_height, step_height;
} tl_video_sizes;
/// VIDIOC_ENUM_FRAMESIZES at `index`; -EINVAL after the last, -ENOTTY when the driver does not report it.
int64_t tl_video_frame_sizes(int32_t fd, uint32_t fourcc, uint32_t index, tl_video_sizes *out);

/// Time from one frame to the next in seconds, as fractions: one (`is_range` 0: both are the same), or all between.
typedef struct {
    uint32_t least_numerator, least_denominator;
    uint32_t most_numerator, most_denominator;
    int32_t is_range;
} tl_video_interval;
/// VIDIOC_ENUM_FRAMEINTERVALS at `index`; -EINVAL after the last, -ENOTTY when the driver does not report it.
int64_t tl_video_frame_interval(int32_t fd, uint32_t fourcc, uint32_t width, uint32_t height, uint32_t index,
                                tl_video_interval *out);

/// A picture format: wanted on the way in, granted on the way out.
typedef struct {
    uint32_t fourcc, width, height;
    /// Planes with memory of their own; 1 unless the format is one of the M variants.
    uint32_t planes;
    uint32_t bytes_per_line[TL_VIDEO_PLANES], image_bytes[TL_VIDEO_PLANES];
    /// 1 when Y, Cb and Cr use 0...255.
    int32_t is_full_range;
} tl_video_picture;
/// VIDIOC_S_FMT, progressive frames wanted.
int64_t tl_video_set_picture(int32_t fd, uint32_t type, tl_video_picture *picture);
/// VIDIOC_TRY_FMT: what VIDIOC_S_FMT would grant.
int64_t tl_video_try_picture(int32_t fd, uint32_t type, tl_video_picture *picture);

/// VIDIOC_S_PARM: the time between frames in seconds, wanted and granted.
int64_t tl_video_set_interval(int32_t fd, uint32_t type, uint32_t *numerator, uint32_t *denominator);
/// VIDIOC_G_PARM.
int64_t tl_video_interval_now(int32_t fd, uint32_t type, uint32_t *numerator, uint32_t *denominator);

/// VIDIOC_REQBUFS for `count` mapped buffers: the count granted.
int64_t tl_video_request_buffers(int32_t fd, uint32_t type, uint32_t count);

/// Where the planes of a buffer are for mmap.
typedef struct {
    uint32_t planes;
    uint32_t length[TL_VIDEO_PLANES], offset[TL_VIDEO_PLANES];
} tl_video_memory;
/// VIDIOC_QUERYBUF.
int64_t tl_video_buffer(int32_t fd, uint32_t type, uint32_t index, tl_video_memory *out);
/// VIDIOC_QBUF of a buffer with so many planes.
int64_t tl_video_queue(int32_t fd, uint32_t type, uint32_t index, uint32_t planes);

/// A filled buffer.
typedef struct {
    uint32_t index;
    /// Bytes from the start of each plane to the end of what was filled, and to its beginning.
    uint32_t bytes_used[TL_VIDEO_PLANES], data_offset[TL_VIDEO_PLANES];
    /// 1 when the driver marked its contents as damaged (V4L2_BUF_FLAG_ERROR).
    int32_t is_damaged;
    /// 1 when `microseconds` are those of CLOCK_MONOTONIC (V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC).
    int32_t is_monotonic;
    int64_t microseconds;
} tl_video_filled;
/// VIDIOC_DQBUF; -EAGAIN when none is filled yet.
int64_t tl_video_dequeue(int32_t fd, uint32_t type, tl_video_filled *out);

/// VIDIOC_STREAMON (`on` 1) or VIDIOC_STREAMOFF.
int64_t tl_video_stream(int32_t fd, uint32_t type, int32_t on);

/// A control (VIDIOC_QUERYCTRL).
typedef struct {
    uint32_t id, type, flags;
    int32_t minimum, maximum, step, home;
    char name[33];
} tl_video_control;
/// VIDIOC_QUERYCTRL; -EINVAL when there is no such control, or no next one.
int64_t tl_video_find_control(int32_t fd, uint32_t id, tl_video_control *out);
/// A name.
typedef struct {
    char text[33];
} tl_video_text;
/// VIDIOC_QUERYMENU: the name of a menu's item; -EINVAL when it has none.
int64_t tl_video_menu_item(int32_t fd, uint32_t id, uint32_t index, tl_video_text *out);
/// VIDIOC_G_CTRL.
int64_t tl_video_control_value(int32_t fd, uint32_t id, int32_t *out);
/// VIDIOC_S_CTRL.
int64_t tl_video_set_control(int32_t fd, uint32_t id, int32_t value);
/// VIDIOC_G_EXT_CTRLS of one control of 64 bits.
int64_t tl_video_wide_control(int32_t fd, uint32_t id, int64_t *out);

/// `or` this to a control's id to find the one after it.
extern const uint32_t TL_CONTROL_NEXT;
/// Flags of a control.
extern const uint32_t TL_CONTROL_DISABLED, TL_CONTROL_READ_ONLY, TL_CONTROL_WRITE_ONLY, TL_CONTROL_INACTIVE,
    TL_CONTROL_GRABBED;
/// Types of a control.
extern const uint32_t TL_CONTROL_INTEGER, TL_CONTROL_BOOLEAN, TL_CONTROL_MENU, TL_CONTROL_BUTTON, TL_CONTROL_BITMASK,
    TL_CONTROL_INTEGER_MENU;
/// Ids (V4L2_CID_...).
extern const uint32_t TL_EXPOSURE_AUTO, TL_EXPOSURE_ABSOLUTE, TL_EXPOSURE, TL_AUTOGAIN, TL_GAIN, TL_ANALOGUE_GAIN,
    TL_AUTO_WHITE_BALANCE, TL_WHITE_BALANCE_TEMPERATURE, TL_FOCUS_AUTO, TL_FOCUS_ABSOLUTE, TL_POWER_LINE_FREQUENCY,
    TL_PAN_ABSOLUTE, TL_TILT_ABSOLUTE, TL_ZOOM_ABSOLUTE, TL_PIXEL_RATE, TL_HBLANK, TL_REPEAT_SEQ_HEADER, TL_GOP_SIZE,
    TL_H264_I_PERIOD;

#endif

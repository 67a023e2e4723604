// Video4Linux2 memory-to-memory encoders (kernel: userspace-api/media/v4l/dev-encoder). Raw pictures go into the
// device's OUTPUT queue, coded ones come out of its CAPTURE queue. One form for both kinds of V4L2, with one plane a
// buffer or several. Every ioctl passes tl_ioctl. Results as in tl_calls.h.

#ifndef TL_M2M_H
#define TL_M2M_H

#include <stdint.h>

/// An open encoder, and its kind.
typedef struct {
    int32_t fd;
    /// 1 for the API with several planes a buffer.
    int32_t is_planar;
} tl_m2m;

/// The two queues.
#define TL_M2M_RAW 0
#define TL_M2M_CODED 1

/// VIDIOC_QUERYCAP: 1 when it is memory-to-memory video by streaming, and fills `is_planar`; else 0.
int64_t tl_m2m_query(tl_m2m *device);
/// VIDIOC_ENUM_FMT: the format (a four-character code) at `index`; -EINVAL after the last.
int64_t tl_m2m_format(const tl_m2m *device, int32_t queue, uint32_t index, uint32_t *fourcc);

/// A picture's format: wanted on the way in, granted on the way out.
typedef struct {
    uint32_t fourcc, width, height;
    /// 1 when Y, Cb and Cr use 0...255; BT.601's matrix in any case. Wanted only.
    int32_t is_full_range;
    /// Pieces of memory of a picture, their sizes in bytes, and bytes of a row in each.
    uint32_t planes, image_bytes[3], row_bytes[3];
} tl_m2m_picture;
/// VIDIOC_S_FMT on either queue.
int64_t tl_m2m_set_format(const tl_m2m *device, int32_t queue, tl_m2m_picture *picture);
/// VIDIOC_S_SELECTION: the part of a raw picture that is coded, from its top left corner.
int64_t tl_m2m_crop(const tl_m2m *device, uint32_t width, uint32_t height);
/// VIDIOC_S_PARM: pictures in a thousand seconds.
int64_t tl_m2m_rate(const tl_m2m *device, uint32_t pictures_per_kilosecond);

typedef enum {
    TL_M2M_BITRATE,
    /// Bits at most, for a variable rate.
    TL_M2M_BITRATE_PEAK,
    /// 0 variable, 1 constant.
    TL_M2M_BITRATE_MODE,
    /// Pictures from one key frame to the next.
    TL_M2M_GROUP,
    TL_M2M_B_FRAMES,
    /// Parameter sets before every key frame.
    TL_M2M_REPEAT_HEADER,
    /// 1: parameter sets in one buffer with the first picture.
    TL_M2M_HEADER_MODE,
    /// A key frame next.
    TL_M2M_KEY_FRAME,
    /// 0 baseline, 1 constrained baseline, 2 main, 4 high.
    TL_M2M_H264_PROFILE,
    /// 11 is level 4, 9 is level 3.1.
    TL_M2M_H264_LEVEL,
    /// Pictures from one IDR picture to the next, for encoders that tell them from other intra pictures.
    TL_M2M_H264_GROUP,
    TL_M2M_CONTROLS,
} tl_m2m_control;
/// VIDIOC_S_EXT_CTRLS for one control.
int64_t tl_m2m_set(const tl_m2m *device, tl_m2m_control control, int32_t value);

/// VIDIOC_REQBUFS for mapped buffers: the count granted. 0 gives all back.
int64_t tl_m2m_request(const tl_m2m *device, int32_t queue, uint32_t count);

/// A buffer's pieces of memory.
typedef struct {
    uint32_t planes, length[3], offset[3];
} tl_m2m_memory;
/// VIDIOC_QUERYBUF.
int64_t tl_m2m_memory_of(const tl_m2m *device, int32_t queue, uint32_t index, tl_m2m_memory *out);

/// VIDIOC_QBUF of a raw picture, with the bytes in each piece and its time in microseconds.
int64_t tl_m2m_queue_raw(const tl_m2m *device, uint32_t index, const tl_m2m_picture *picture, int64_t time);
/// VIDIOC_QBUF of room for a coded picture.
int64_t tl_m2m_queue_coded(const tl_m2m *device, uint32_t index);

/// A buffer that came back.
typedef struct {
    uint32_t index;
    /// Where a coded picture begins in its memory, and its bytes.
    uint32_t offset, bytes;
    /// 1 when its contents are damaged; when it is the last one after `tl_m2m_finish`.
    int32_t is_damaged, is_last;
    /// Microseconds: of a coded picture, those of the raw one.
    int64_t time;
} tl_m2m_buffer;
/// VIDIOC_DQBUF; -EAGAIN when there is none yet, -EPIPE after the last one.
int64_t tl_m2m_dequeue(const tl_m2m *device, int32_t queue, tl_m2m_buffer *out);

/// VIDIOC_STREAMON (`on` 1) or VIDIOC_STREAMOFF.
int64_t tl_m2m_stream(const tl_m2m *device, int32_t queue, int32_t on);
/// VIDIOC_ENCODER_CMD: no more raw pictures come; -ENOTTY from encoders that keep none.
int64_t tl_m2m_finish(const tl_m2m *device);

#endif

// A V4L2 memory-to-memory encoder that exists only in tests: it answers ioctls as a driver would (kernel: dev-encoder),
// over a file in memory that stands for its device, and can be told to misbehave.

#ifndef FAKE_ENCODER_H
#define FAKE_ENCODER_H

#include <stdint.h>

#define FAKE_ENCODER_BUFFERS 4

typedef struct {
    // What it is.
    int32_t is_planar;
    uint32_t raw_fourcc;
    /// Pieces of memory of a raw picture.
    uint32_t pieces;
    /// Width and height are rounded up to whole multiples of this.
    uint32_t block;
    /// Pictures that it keeps inside until more come, or the end.
    uint32_t delay;
    // How it misbehaves.
    int32_t refuses_crop, refuses_controls, refuses_stop;
    /// Parameter sets come in a buffer of their own, before the first picture.
    int32_t has_own_header;
    /// The last buffer is empty, after the last picture.
    int32_t has_empty_end;
    /// This picture, from 1, comes damaged.
    uint32_t damaged;
    /// From this picture on, from 1, nothing comes out any more.
    uint32_t silent;

    // What it was told.
    uint32_t width, height, crop_width, crop_height, row_bytes;
    uint32_t rate, bitrate, key_frames, stops;
    int32_t streams[2];
    /// Where the pieces of the last raw picture stand in the file.
    uint32_t last_offset[3];

    // Its insides.
    uint32_t made, given, is_ending, has_ended;
    uint32_t buffers[2], waiting[2], ready[2];
    struct {
        uint32_t index;
        int64_t time;
        uint32_t bytes, flags;
    } queue[2][FAKE_ENCODER_BUFFERS], done[2][FAKE_ENCODER_BUFFERS];
} fake_encoder;

/// Answers one ioctl of `fd`, as `tl_interpose_device` wants it. `context` is a `fake_encoder`.
int fake_encoder_ioctl(void *context, int32_t fd, uint64_t request, void *argument);

#endif

// A camera of Video4Linux that exists in tests alone, for what the kernel's own test driver has not: a bare sensor with a
// part of its own, H.264, pan, tilt and zoom, inputs that lose their signal. It answers through tl_interpose_device, on
// regular files: the camera's file holds the memory of its buffers; an empty file is the sensor.

#ifndef FAKE_CAMERA_H
#define FAKE_CAMERA_H

#include <stdint.h>

typedef struct {
    uint32_t fourcc, width, height;
    /// Frames a second; 0: the driver does not say.
    uint32_t rate;
} fake_mode;

typedef struct {
    uint32_t id;
    char name[32];
    int32_t minimum, maximum, step, home, value;
    /// 1: of the sensor's own file, 0: of the camera's.
    int32_t is_part;
    /// Why it cannot be set (errno), or 0.
    int32_t refusal;
    /// V4L2_CTRL_FLAG_... of it. One that is grabbed cannot be set (EBUSY).
    uint32_t flags;
    /// How far it goes from one look to the next, as a motor does; 0: it is there at once. And where it is sent.
    int32_t speed, target;
    /// How far it goes at all; 0: anywhere in its range.
    int32_t reach;
} fake_control;

typedef struct {
    uint32_t bytes_used, flags;
    int64_t seconds, microseconds;
    /// Why VIDIOC_DQBUF fails instead (errno), or 0.
    int32_t refusal;
} fake_frame;

typedef struct {
    int32_t mode_count, control_count, frame_count;
    fake_mode modes[8];
    fake_control controls[16];
    /// What comes, one by one; after the last VIDIOC_DQBUF says EAGAIN.
    fake_frame frames[8];
    /// V4L2_IN_ST_... of the input.
    uint32_t input_status;
    /// Bytes of a buffer, and least number of buffers.
    uint32_t image_bytes, least_buffers;
    /// Buffers for which there is memory; 0: as many as are asked for. More are refused (ENOMEM), or are not granted.
    uint32_t most_buffers;
    int32_t grants_fewer;
    /// How often VIDIOC_DQBUF finds nothing after a stream has begun.
    int32_t slowness;
    /// V4L2_CID_PIXEL_RATE of the part.
    int64_t pixel_rate;
    /// The number of an ioctl that is refused (its low byte), how often (less than 0: always), and why (errno).
    uint32_t refused;
    int32_t refusals, refusal;
    /// Buffers that must be queued for one to be filled.
    int32_t least_queued;
    /// Pixels above which the bus is too slow (ENOSPC); 0: it never is.
    uint32_t most_pixels;
    /// Why pan, tilt and zoom cannot be set without a stream (errno); less than 0: they are ignored; 0: they can.
    int32_t still_refusal;
    /// 1: without a stream, they cannot be read either.
    int32_t is_mute;

    // What happened.
    int32_t is_streaming, buffers, asked_buffers, queued, next_frame, starts, looks;
    uint32_t fourcc, width, height, rate;
} fake_camera;

/// A tl_device; `context` is a fake_camera.
int fake_camera_ioctl(void *context, int32_t fd, uint64_t request, void *argument);

#endif

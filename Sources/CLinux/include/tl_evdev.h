// Input devices of the kernel (kernel document input/event-codes, input/multi-touch-protocol).

#ifndef TL_EVDEV_H
#define TL_EVDEV_H

#include <stddef.h>
#include <stdint.h>

#define TL_KEY_BYTES 96
#define TL_INPUT_SLOTS 16

/// What a device can tell: a bit for each type, property, key, relative and absolute axis.
typedef struct {
    uint32_t types, properties, relative;
    uint64_t absolute;
    uint8_t keys[TL_KEY_BYTES];
    char name[64];
} tl_input_device;
int64_t tl_input_describe(int32_t fd, tl_input_device *out);
typedef struct {
    int32_t value, minimum, maximum;
} tl_input_axis;
int64_t tl_input_axis_now(int32_t fd, uint32_t code, tl_input_axis *out);
/// A bit for each key that is down, TL_KEY_BYTES.
int64_t tl_input_keys_now(int32_t fd, uint8_t *keys);
/// The value of one axis in each slot of a touch panel.
int64_t tl_input_slots_now(int32_t fd, uint32_t code, int32_t *values, uint32_t count);
/// Time stamps of the monotonic clock.
int64_t tl_input_use_monotonic(int32_t fd);
/// Nobody else hears of it (1), or all do again (0).
int64_t tl_input_grab(int32_t fd, int32_t grabs);

typedef struct {
    /// Milliseconds.
    int64_t time;
    uint16_t type, code;
    int32_t value;
} tl_input_event;
/// Takes what waits, at most `count` and 64: how many. -EAGAIN: none.
int64_t tl_input_read(int32_t fd, tl_input_event *out, size_t count);

#endif

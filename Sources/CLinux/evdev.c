#include "tl_evdev.h"

#include <errno.h>
#include <linux/input.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "private.h"

#define EVENTS 64

int64_t tl_input_describe(int32_t fd, tl_input_device *out) {
    // Bits come in whole longs of the kernel, whose lowest byte is the first on these boards.
    uint64_t types = 0, properties = 0, relative = 0, absolute = 0;
    memset(out, 0, sizeof *out);
    int64_t result = tl_ioctl(fd, EVIOCGBIT(0, sizeof types), &types);
    if (result < 0) return result;
    // A device without one of these says so by an error, and then there is none of them.
    tl_ioctl(fd, EVIOCGPROP(sizeof properties), &properties);
    tl_ioctl(fd, EVIOCGBIT(EV_REL, sizeof relative), &relative);
    tl_ioctl(fd, EVIOCGBIT(EV_ABS, sizeof absolute), &absolute);
    tl_ioctl(fd, EVIOCGBIT(EV_KEY, TL_KEY_BYTES), out->keys);
    tl_ioctl(fd, EVIOCGNAME(sizeof out->name - 1), out->name);
    out->name[sizeof out->name - 1] = 0;
    out->types = (uint32_t)types;
    out->properties = (uint32_t)properties;
    out->relative = (uint32_t)relative;
    out->absolute = absolute;
    return 0;
}

int64_t tl_input_axis_now(int32_t fd, uint32_t code, tl_input_axis *out) {
    struct input_absinfo found = {0};
    int64_t result = tl_ioctl(fd, EVIOCGABS(code), &found);
    *out = (tl_input_axis){found.value, found.minimum, found.maximum};
    return result;
}

int64_t tl_input_keys_now(int32_t fd, uint8_t *keys) {
    memset(keys, 0, TL_KEY_BYTES);
    return tl_ioctl(fd, EVIOCGKEY(TL_KEY_BYTES), keys);
}

int64_t tl_input_slots_now(int32_t fd, uint32_t code, int32_t *values, uint32_t count) {
    struct {
        uint32_t code;
        int32_t values[TL_INPUT_SLOTS];
    } request = {.code = code};
    int64_t result = tl_ioctl(fd, EVIOCGMTSLOTS(sizeof request), &request);
    if (result < 0) return result;
    if (count > TL_INPUT_SLOTS) count = TL_INPUT_SLOTS;
    memcpy(values, request.values, count * sizeof *values);
    return 0;
}

int64_t tl_input_use_monotonic(int32_t fd) {
    int clock = CLOCK_MONOTONIC;
    return tl_ioctl(fd, EVIOCSCLOCKID, &clock);
}

int64_t tl_input_grab(int32_t fd, int32_t grabs) { return tl_ioctl(fd, EVIOCGRAB, (void *)(intptr_t)grabs); }

int64_t tl_input_read(int32_t fd, tl_input_event *out, size_t count) {
    // 24 bytes on a 64-bit kernel, 16 on a 32-bit one, whose seconds are unsigned and of 32 bits.
    struct input_event events[EVENTS];
    if (count > EVENTS) count = EVENTS;
    int64_t result = tl_read(fd, events, count * sizeof *events);
    if (result < 0) return result;
    if (result == 0) return -ENODEV;
    int64_t found = result / (int64_t)sizeof *events;
    for (int64_t index = 0; index < found; index++) {
        out[index] = (tl_input_event){
            .time = (int64_t)events[index].input_event_sec * 1000 + (int64_t)events[index].input_event_usec / 1000,
            .type = events[index].type, .code = events[index].code, .value = events[index].value};
    }
    return found;
}

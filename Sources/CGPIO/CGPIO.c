#include "CGPIO.h"

#include <CLinux.h>
#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdlib.h>

struct tl_gpio {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
};

// MARK: libgpiod makes its calls itself; they pass the door all the same

typedef struct {
    const char *chip, *name;
    struct gpiod_line_request_config config;
    tl_gpio *gpio;
    int32_t value;
    struct gpiod_line_event event;
} gpio_call;

static int is_number(const char *text) {
    if (!*text) return 0;
    for (; *text; text++)
        if (*text < '0' || *text > '9') return 0;
    return 1;
}

static struct gpiod_line *find_line(struct gpiod_chip *chip, const char *name) {
    if (!is_number(name)) return gpiod_chip_find_line(chip, name);
    unsigned long number = strtoul(name, NULL, 10);
    if (number >= gpiod_chip_num_lines(chip)) {
        errno = ENOENT;
        return NULL;
    }
    return gpiod_chip_get_line(chip, (unsigned int)number);
}

// An output from now on, at the level that the line has: it is never given back in between.
static int keep_value(gpio_call *call) {
    int level = gpiod_line_get_value(call->gpio->line);
    if (level < 0) return -1;
    return gpiod_line_set_config(call->gpio->line, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, call->config.flags, level);
}

static int64_t request(void *context) {
    gpio_call *call = context;
    // An interrupted call is made again.
    if (call->gpio->chip) gpiod_chip_close(call->gpio->chip);
    call->gpio->chip = NULL;
    if (*call->chip) {
        call->gpio->chip = gpiod_chip_open_lookup(call->chip);
        if (!call->gpio->chip) return -1;
        call->gpio->line = find_line(call->gpio->chip, call->name);
    } else {
        call->gpio->line = gpiod_line_find(call->name);
        if (call->gpio->line) call->gpio->chip = gpiod_line_get_chip(call->gpio->line);
    }
    if (!call->gpio->line) return -1;
    if (gpiod_line_request(call->gpio->line, &call->config, call->value > 0) < 0) return -1;
    if (call->config.request_type == GPIOD_LINE_REQUEST_DIRECTION_AS_IS) return keep_value(call);
    if (call->config.request_type != GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES) return 0;
    int fd = gpiod_line_event_get_fd(call->gpio->line);
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

static int64_t set_value(void *context) {
    gpio_call *call = context;
    return gpiod_line_set_value(call->gpio->line, call->value);
}

static int64_t get_value(void *context) {
    gpio_call *call = context;
    return gpiod_line_get_value(call->gpio->line);
}

static int64_t read_event(void *context) {
    gpio_call *call = context;
    return gpiod_line_event_read(call->gpio->line, &call->event);
}

// MARK: The calls

static int libgpiod_flags(int32_t flags) {
    int all = 0;
    if (flags & TL_GPIO_ACTIVE_LOW) all |= GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW;
    if (flags & TL_GPIO_PULL_UP) all |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    if (flags & TL_GPIO_PULL_DOWN) all |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    if (flags & TL_GPIO_NO_PULL) all |= GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
    return all;
}

static int64_t take(const char *chip, const char *line, int type, int32_t flags, int32_t value, tl_gpio **out) {
    tl_gpio *gpio = calloc(1, sizeof *gpio);
    if (!gpio) return -ENOMEM;
    gpio_call call = {.chip = chip, .name = line, .gpio = gpio, .value = value,
                      .config = {.consumer = "talon", .request_type = type, .flags = libgpiod_flags(flags)}};
    int64_t result = tl_ioctl_of_library(-1, request, &call);
    if (result < 0) {
        tl_gpio_close(gpio);
        return result;
    }
    *out = gpio;
    return 0;
}

int64_t tl_gpio_output(const char *chip, const char *line, int32_t flags, int32_t value, tl_gpio **out) {
    int type = value < 0 ? GPIOD_LINE_REQUEST_DIRECTION_AS_IS : GPIOD_LINE_REQUEST_DIRECTION_OUTPUT;
    return take(chip, line, type, flags, value, out);
}

int64_t tl_gpio_input(const char *chip, const char *line, int32_t flags, tl_gpio **out) {
    return take(chip, line, GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES, flags, 0, out);
}

// Closing the chip gives its lines back.
void tl_gpio_close(tl_gpio *gpio) {
    if (!gpio) return;
    if (gpio->chip) gpiod_chip_close(gpio->chip);
    free(gpio);
}

int64_t tl_gpio_set(tl_gpio *gpio, int32_t value) {
    gpio_call call = {.gpio = gpio, .value = value};
    return tl_ioctl_of_library(-1, set_value, &call);
}

int64_t tl_gpio_get(tl_gpio *gpio) {
    gpio_call call = {.gpio = gpio};
    return tl_ioctl_of_library(-1, get_value, &call);
}

int32_t tl_gpio_descriptor(const tl_gpio *gpio) { return gpiod_line_event_get_fd(gpio->line); }

int64_t tl_gpio_next(tl_gpio *gpio, tl_gpio_edge *out) {
    gpio_call call = {.gpio = gpio};
    int64_t result = tl_ioctl_of_library(tl_gpio_descriptor(gpio), read_event, &call);
    if (result < 0) return result;
    out->level = call.event.event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    out->nanoseconds = (int64_t)call.event.ts.tv_sec * 1000000000 + call.event.ts.tv_nsec;
    return 0;
}

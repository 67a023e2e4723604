#include "CGPIO.h"

#include <CLinux.h>
#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    tl_gpio_location *location;
} gpio_call;

static int is_number(const char *text) {
    if (!*text) return 0;
    for (; *text; text++)
        if (*text < '0' || *text > '9') return 0;
    return 1;
}

// MARK: Which line is meant

// The header of 40 pins, the same since 2014; the first 26 pins are older (bcm2711-peripherals.pdf, and pinout of the documentation).
static const int8_t pin_lines[40] = {
    -1, -1, 2,  -1, 3,  -1, 4,  14, -1, 15, 17, 18, 27, -1, 22, 23, -1, 24, 10, -1,
    9,  25, 11, 8,  -1, 7,  0,  1,  5,  -1, 6,  12, 13, -1, 19, 16, 26, 20, -1, 21,
};

// The digits at the end of a name that begins so, in either case, with blanks or a sign between; -1 for another name.
static int32_t number_behind(const char *name, const char *prefix) {
    size_t length = strlen(prefix);
    if (strncasecmp(name, prefix, length)) return -1;
    name += length + strspn(name + length, " _-");
    return is_number(name) && strlen(name) < 6 ? (int32_t)strtol(name, NULL, 10) : -1;
}

int32_t tl_gpio_header_line(const char *text) {
    if (is_number(text)) return number_behind(text, "");
    int32_t pin = number_behind(text, "pin");
    // As gpiozero writes them.
    if (pin < 0) pin = number_behind(text, "board");
    if (pin < 0) {
        int32_t line = number_behind(text, "gpio");
        return line < 0 ? number_behind(text, "bcm") : line;
    }
    return pin < 1 || pin > 40 || pin_lines[pin - 1] < 0 ? -2 : pin_lines[pin - 1];
}

// Labels of the chips that a header is wired to: Raspberry Pi 1 to 3, 4, 5.
static int is_header_label(const char *label) {
    return !strcmp(label, "pinctrl-bcm2835") || !strcmp(label, "pinctrl-bcm2711") || !strcmp(label, "pinctrl-rp1");
}

static int is_header(struct gpiod_chip *chip) {
    return is_header_label(gpiod_chip_label(chip)) || gpiod_chip_find_line(chip, "GPIO17");
}

// A line by its number; by a name or a pin of the header only on its chip.
static struct gpiod_line *line_of(struct gpiod_chip *chip, const char *name) {
    int32_t number = is_number(name) || is_header(chip) ? tl_gpio_header_line(name) : -1;
    if (number >= 0 && number < (int32_t)gpiod_chip_num_lines(chip)) return gpiod_chip_get_line(chip, (unsigned int)number);
    errno = ENOENT;
    return NULL;
}

// Chips of the Raspberry Pi's own boards that no header is wired to.
static int is_inner_label(const char *label) {
    return !strncmp(label, "gpio-brcmstb", 12) || !strcmp(label, "raspberrypi-exp-gpio");
}

// The chip of the header, or NULL; `denied` when a chip could not be opened, which may be the header's. Without a label that is
// known a number is one of gpiochip0, and another name is looked for on the first chip with a line called GPIO17.
static struct gpiod_chip *open_header(int by_number, int *denied) {
    struct gpiod_chip *named = NULL, *first = NULL;
    int is_inner = 0;
    for (unsigned int number = 0; number < TL_GPIO_CHIPS; number++) {
        struct gpiod_chip *chip = gpiod_chip_open_by_number(number);
        if (!chip) {
            if (errno == EACCES || errno == EPERM) *denied = 1;
            continue;
        }
        if (is_header_label(gpiod_chip_label(chip))) {
            if (named) gpiod_chip_close(named);
            if (first) gpiod_chip_close(first);
            return chip;
        }
        if (is_inner_label(gpiod_chip_label(chip))) is_inner = 1;
        if (!named && !by_number && gpiod_chip_find_line(chip, "GPIO17")) named = chip;
        else if (!number && by_number) first = chip;
        else gpiod_chip_close(chip);
    }
    struct gpiod_chip *found = named ? named : first;
    // The header's chip of a Raspberry Pi comes, or may be opened, later.
    if (!found || (!*denied && !is_inner)) return found;
    gpiod_chip_close(found);
    return NULL;
}

// The first line of this name, and its chip.
static struct gpiod_line *find_name(const char *name, struct gpiod_chip **out, int *denied) {
    for (unsigned int number = 0; number < TL_GPIO_CHIPS; number++) {
        struct gpiod_chip *chip = gpiod_chip_open_by_number(number);
        if (!chip) {
            if (errno == EACCES || errno == EPERM) *denied = 1;
            continue;
        }
        struct gpiod_line *line = gpiod_chip_find_line(chip, name);
        if (line) {
            *out = chip;
            return line;
        }
        gpiod_chip_close(chip);
    }
    return NULL;
}

// The line, and its chip, which is opened; NULL and errno. A chip without its line is closed.
static struct gpiod_line *find_line(const char *chip_name, const char *name, struct gpiod_chip **out) {
    struct gpiod_line *line = NULL;
    int denied = 0;
    if (*chip_name) {
        struct gpiod_chip *chip = gpiod_chip_open_lookup(chip_name);
        if (!chip) return NULL;
        if (!is_number(name)) line = *name ? gpiod_chip_find_line(chip, name) : NULL;
        if (!line) line = line_of(chip, name);
        if (line) *out = chip;
        else gpiod_chip_close(chip);
    } else {
        if (*name && !is_number(name)) line = find_name(name, out, &denied);
        struct gpiod_chip *header = line ? NULL : open_header(is_number(name), &denied);
        if (header) {
            line = line_of(header, name);
            if (line) *out = header;
            else gpiod_chip_close(header);
        }
    }
    if (!line) errno = denied ? EACCES : ENOENT;
    return line;
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
    call->gpio->line = find_line(call->chip, call->name, &call->gpio->chip);
    if (!call->gpio->line) return -1;
    if (gpiod_line_request(call->gpio->line, &call->config, call->value > 0) < 0) return -1;
    if (call->config.request_type == GPIOD_LINE_REQUEST_DIRECTION_AS_IS) return keep_value(call);
    if (call->config.request_type != GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES) return 0;
    int fd = gpiod_line_event_get_fd(call->gpio->line);
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

static int64_t locate(void *context) {
    gpio_call *call = context;
    struct gpiod_chip *chip = NULL, *header = NULL;
    int denied = 0;
    struct gpiod_line *line = find_line(call->chip, call->name, &chip);
    if (!line) return -1;
    tl_gpio_location *out = call->location;
    const char *name = gpiod_line_name(line);
    snprintf(out->chip, sizeof out->chip, "%s", gpiod_chip_name(chip));
    snprintf(out->label, sizeof out->label, "%s", gpiod_chip_label(chip));
    snprintf(out->name, sizeof out->name, "%s", name ? name : "");
    out->number = (int32_t)gpiod_line_offset(line);
    header = open_header(1, &denied);
    int has_header = header && is_header_label(gpiod_chip_label(header));
    out->is_header = !has_header ? -1 : !strcmp(gpiod_chip_name(header), out->chip);
    if (header) gpiod_chip_close(header);
    gpiod_chip_close(chip);
    return 0;
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

int64_t tl_gpio_find(const char *chip, const char *line, tl_gpio_location *out) {
    gpio_call call = {.chip = chip, .name = line, .location = out};
    return tl_ioctl_of_library(-1, locate, &call);
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

#include "fake_gpio.h"

#include <errno.h>
#include <gpiod.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES 8

struct gpiod_line {
    int is_taken, flags, level, ends[2];
    /// Who asked for it last, and who has it.
    struct gpiod_chip *asking, *owner;
};

// One line of it is asked for.
struct gpiod_chip {
    struct gpiod_line *line;
};

static _Thread_local struct gpiod_line lines[LINES];
static _Thread_local int fault, writes;

static int refuse(int reason) {
    errno = reason;
    return -1;
}

static void give_back(struct gpiod_line *line) {
    if (line->is_taken && line->ends[0]) {
        close(line->ends[0]);
        close(line->ends[1]);
    }
    line->is_taken = line->ends[0] = line->ends[1] = 0;
    line->owner = NULL;
}

void fake_gpio_reset(void) {
    for (int index = 0; index < LINES; index++) give_back(&lines[index]);
    memset(lines, 0, sizeof lines);
    fault = writes = 0;
}

void fake_gpio_fail(int reason) { fault = reason; }
int fake_gpio_is_taken(int line) { return lines[line].is_taken; }
int fake_gpio_flags(int line) { return lines[line].flags; }
int fake_gpio_level(int line) { return lines[line].level; }
int fake_gpio_writes(void) { return writes; }
void fake_gpio_drive(int line, int level) { lines[line].level = level; }

void fake_gpio_edge(int line, int level, int64_t nanoseconds) {
    struct gpiod_line_event event = {
        .ts = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000},
        .event_type = level ? GPIOD_LINE_EVENT_RISING_EDGE : GPIOD_LINE_EVENT_FALLING_EDGE,
    };
    if (write(lines[line].ends[1], &event, sizeof event) != sizeof event) abort();
}

// MARK: libgpiod

struct gpiod_chip *gpiod_chip_open_lookup(const char *name) {
    if (fault || (strcmp(name, "gpiochip0") && strcmp(name, "fake"))) {
        errno = fault ? fault : ENOENT;
        return NULL;
    }
    return calloc(1, sizeof(struct gpiod_chip));
}

void gpiod_chip_close(struct gpiod_chip *chip) {
    if (chip->line && chip->line->owner == chip) give_back(chip->line);
    free(chip);
}

unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip) { return LINES; }

struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int number) {
    chip->line = &lines[number];
    chip->line->asking = chip;
    return chip->line;
}

struct gpiod_line *gpiod_chip_find_line(struct gpiod_chip *chip, const char *name) {
    for (int index = 0; index < LINES; index++)
        if (strlen(name) == 5 && !memcmp(name, "LINE", 4) && name[4] == '0' + index) return gpiod_chip_get_line(chip, index);
    errno = ENOENT;
    return NULL;
}

struct gpiod_line *gpiod_line_find(const char *name) {
    struct gpiod_chip *chip = gpiod_chip_open_lookup("fake");
    struct gpiod_line *line = chip ? gpiod_chip_find_line(chip, name) : NULL;
    if (chip && !line) gpiod_chip_close(chip);
    return line;
}

struct gpiod_chip *gpiod_line_get_chip(struct gpiod_line *line) { return line->asking; }

int gpiod_line_set_config(struct gpiod_line *line, int direction, int flags, int value) {
    if (fault) return refuse(fault);
    if (direction != GPIOD_LINE_REQUEST_DIRECTION_OUTPUT || flags != line->flags) return refuse(EINVAL);
    line->level = value;
    return 0;
}

int gpiod_line_request(struct gpiod_line *line, const struct gpiod_line_request_config *config, int value) {
    if (fault) return refuse(fault);
    if (line->is_taken) return refuse(EBUSY);
    line->flags = config->flags;
    if (config->request_type == GPIOD_LINE_REQUEST_DIRECTION_OUTPUT) line->level = value;
    else if (config->request_type == GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES && pipe(line->ends)) return -1;
    line->is_taken = 1;
    line->owner = line->asking;
    return 0;
}

int gpiod_line_event_get_fd(struct gpiod_line *line) { return line->ends[0]; }

int gpiod_line_set_value(struct gpiod_line *line, int value) {
    if (fault) return refuse(fault);
    writes++;
    line->level = value;
    return 0;
}

int gpiod_line_get_value(struct gpiod_line *line) { return fault ? refuse(fault) : line->level; }

int gpiod_line_event_read(struct gpiod_line *line, struct gpiod_line_event *event) {
    if (fault) return refuse(fault);
    return read(line->ends[0], event, sizeof *event) == sizeof *event ? 0 : -1;
}

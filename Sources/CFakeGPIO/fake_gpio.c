#include "fake_gpio.h"

#include <errno.h>
#include <gpiod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES 64

// What is known of a chip: its lines are called so, with the number in the place of %d; some have names of their own.
struct model {
    const char *name, *label, *pattern;
    unsigned int lines, first_named, last_named;
};

static const struct model boards[][2] = {
    [FAKE_GPIO_PLAIN] = {{"gpiochip0", "fake", "LINE%d", 8, 0, 7}},
    [FAKE_GPIO_PI4] = {{"gpiochip0", "pinctrl-bcm2711", "GPIO%d", 58, 5, 27}, {"gpiochip1", "raspberrypi-exp-gpio", "EXP%d", 8, 0, 7}},
    [FAKE_GPIO_PI5] = {{"gpiochip0", "pinctrl-rp1", "GPIO%d", 54, 4, 27}, {"gpiochip10", "gpio-brcmstb@107d508500", "-", 32, 0, 31}},
    [FAKE_GPIO_PI5_EARLY] = {{"gpiochip0", "gpio-brcmstb@107d508500", "-", 32, 0, 31}, {"gpiochip4", "pinctrl-rp1", "GPIO%d", 54, 4, 27}},
    [FAKE_GPIO_OTHER] = {{"gpiochip0", "1c20800.pinctrl", "P%d", 32, 0, 31}, {"gpiochip1", "expander", "GPIO%d", 28, 0, 27}},
};

struct gpiod_line {
    int chip, number;
    char name[16];
    int is_taken, flags, level, ends[2];
    /// Who asked for it last, and who has it.
    struct gpiod_chip *asking, *owner;
};

// One line of it is asked for.
struct gpiod_chip {
    int number;
    struct gpiod_line *line;
};

static _Thread_local struct gpiod_line chips[2][LINES];
static _Thread_local int fault, writes, closed;
static _Thread_local const struct model *board = boards[FAKE_GPIO_PLAIN];

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

void fake_gpio_reset(void) { fake_gpio_be(FAKE_GPIO_PLAIN); }

void fake_gpio_be(fake_gpio_board kind) {
    for (int index = 0; index < 2 * LINES; index++) give_back(&chips[index / LINES][index % LINES]);
    memset(chips, 0, sizeof chips);
    for (int index = 0; index < 2 * LINES; index++) {
        struct gpiod_line *line = &chips[index / LINES][index % LINES];
        const struct model *model = &boards[kind][index / LINES];
        line->chip = index / LINES;
        line->number = index % LINES;
        if (!model->pattern || line->number < (int)model->first_named || line->number > (int)model->last_named) continue;
        snprintf(line->name, sizeof line->name, model->pattern, line->number);
    }
    board = boards[kind];
    fault = writes = closed = 0;
}

void fake_gpio_close_chip(int chip) { closed |= 1 << chip; }
int fake_gpio_taken_of(int chip) {
    for (int index = 0; index < LINES; index++)
        if (chips[chip][index].is_taken) return index;
    return -1;
}

void fake_gpio_fail(int reason) { fault = reason; }
int fake_gpio_is_taken(int line) { return chips[0][line].is_taken; }
int fake_gpio_flags(int line) { return chips[0][line].flags; }
int fake_gpio_level(int line) { return chips[0][line].level; }
int fake_gpio_writes(void) { return writes; }
void fake_gpio_drive(int line, int level) { chips[0][line].level = level; }

void fake_gpio_edge(int line, int level, int64_t nanoseconds) {
    struct gpiod_line_event event = {
        .ts = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000},
        .event_type = level ? GPIOD_LINE_EVENT_RISING_EDGE : GPIOD_LINE_EVENT_FALLING_EDGE,
    };
    if (write(chips[0][line].ends[1], &event, sizeof event) != sizeof event) abort();
}

// MARK: libgpiod

static struct gpiod_chip *open_chip(const char *name, int takes_label) {
    for (int number = 0; number < 2 && !fault; number++) {
        const struct model *model = &board[number];
        if (!model->name || (strcmp(name, model->name) && !(takes_label && !strcmp(name, model->label)))) continue;
        if (closed & 1 << number) {
            errno = EACCES;
            return NULL;
        }
        struct gpiod_chip *chip = calloc(1, sizeof(struct gpiod_chip));
        chip->number = number;
        return chip;
    }
    errno = fault ? fault : ENOENT;
    return NULL;
}

struct gpiod_chip *gpiod_chip_open_lookup(const char *name) { return open_chip(name, 1); }

struct gpiod_chip *gpiod_chip_open_by_number(unsigned int number) {
    char name[16];
    snprintf(name, sizeof name, "gpiochip%u", number);
    return open_chip(name, 0);
}

void gpiod_chip_close(struct gpiod_chip *chip) {
    if (chip->line && chip->line->owner == chip) give_back(chip->line);
    free(chip);
}

const char *gpiod_chip_name(struct gpiod_chip *chip) { return board[chip->number].name; }
const char *gpiod_chip_label(struct gpiod_chip *chip) { return board[chip->number].label; }
unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip) { return board[chip->number].lines; }

struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int number) {
    chip->line = &chips[chip->number][number];
    chip->line->asking = chip;
    return chip->line;
}

struct gpiod_line *gpiod_chip_find_line(struct gpiod_chip *chip, const char *name) {
    for (unsigned int index = 0; index < board[chip->number].lines; index++)
        if (!strcmp(chips[chip->number][index].name, name)) return gpiod_chip_get_line(chip, index);
    errno = ENOENT;
    return NULL;
}

const char *gpiod_line_name(struct gpiod_line *line) { return *line->name ? line->name : NULL; }
unsigned int gpiod_line_offset(struct gpiod_line *line) { return (unsigned int)line->number; }

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

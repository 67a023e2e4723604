// Lines of a GPIO chip, through libgpiod 1.6. Results are zero or more, or a negated errno, as in tl_calls.h.

#ifndef CGPIO_H
#define CGPIO_H

#include <stdint.h>

/// A line that is ours until it is closed.
typedef struct tl_gpio tl_gpio;

/// Inverts what 1 means, and for inputs the resistor that holds the line while nothing drives it.
#define TL_GPIO_ACTIVE_LOW 1
#define TL_GPIO_PULL_UP 2
#define TL_GPIO_PULL_DOWN 4
#define TL_GPIO_NO_PULL 8

/// Takes a line of a chip. `chip` is a name ("gpiochip0"), a label ("pinctrl-bcm2711") or a path, or empty for the chip that has
/// a line of this name; `line` a number on that chip or a name ("GPIO17"). -ENOENT when there is no such chip or line, -EBUSY
/// when somebody has it.
/// As an output it is `value` from the first instant, or for -1 what it is (Linux 5.5); as an input it tells of both edges.
int64_t tl_gpio_output(const char *chip, const char *line, int32_t flags, int32_t value, tl_gpio **out);
int64_t tl_gpio_input(const char *chip, const char *line, int32_t flags, tl_gpio **out);
void tl_gpio_close(tl_gpio *gpio);

int64_t tl_gpio_set(tl_gpio *gpio, int32_t value);
/// The level: 0 or 1.
int64_t tl_gpio_get(tl_gpio *gpio);

/// Readable when an edge waits.
int32_t tl_gpio_descriptor(const tl_gpio *gpio);
/// An edge: the level after it, and the kernel's stamp, of CLOCK_MONOTONIC since Linux 5.7 and of CLOCK_REALTIME before.
typedef struct {
    int32_t level;
    int64_t nanoseconds;
} tl_gpio_edge;
/// The next edge; -EAGAIN when none waits.
int64_t tl_gpio_next(tl_gpio *gpio, tl_gpio_edge *out);

#endif

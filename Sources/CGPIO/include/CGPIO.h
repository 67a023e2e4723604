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

/// Chips that are looked at, from gpiochip0 on: a Raspberry Pi 5 has 14.
#define TL_GPIO_CHIPS 64

/// A line of a chip. `chip` is a name ("gpiochip0"), a label ("pinctrl-bcm2711"), a number or a path. `line` is a number on that
/// chip, a name ("GPIO17"), or a pin of the Raspberry Pi's header ("pin 11").
/// `chip` empty: a name is looked for on each chip. What no line is called is a line of the header's chip: by its number
/// (17, GPIO17) or by its pin. The header's chip is the one with the label of a Raspberry Pi's: chips have other numbers on a
/// Raspberry Pi 5, and not the same with each kernel. On another board a number is one of gpiochip0, and a pin one of the first chip
/// with a line called GPIO17.
typedef struct {
    /// Texts end with a zero; the name of a line that has none is empty.
    char chip[32], label[32], name[32];
    int32_t number;
    /// 1: the chip is that of a Raspberry Pi's header; 0: another one is; -1: this board is no Raspberry Pi.
    int32_t is_header;
} tl_gpio_location;
/// Finds a line, and requests nothing. -ENOENT when there is no such chip or line; -EACCES when there is none among the chips that
/// may be opened, and some may not.
int64_t tl_gpio_find(const char *chip, const char *line, tl_gpio_location *out);
/// The number on the header's chip of "17", "GPIO17", "BCM17", "pin 11" and "BOARD11", in either case; -1 for another name, -2 for a
/// pin without a line: ground, a supply, or none of the 40.
int32_t tl_gpio_header_line(const char *text);

/// Requests a line, which is found as tl_gpio_find does; -EBUSY when somebody has it.
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

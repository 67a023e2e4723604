// GPIO chips that exist in tests alone, in the place of libgpiod's functions. One for each thread.

#ifndef FAKE_GPIO_H
#define FAKE_GPIO_H

#include <stdint.h>

/// A chip named "gpiochip0" with the label "fake", whose lines are named LINE0 ... LINE7 and are free, low and without a fault.
void fake_gpio_reset(void);
/// Chips as boards have them, by what `gpioinfo` says there: the one above; a Raspberry Pi 4; a Raspberry Pi 5, and one with a
/// kernel before 6.6.45; a board whose second chip has lines called GPIO0 to GPIO27. The functions below are about the first chip.
typedef enum { FAKE_GPIO_PLAIN, FAKE_GPIO_PI4, FAKE_GPIO_PI5, FAKE_GPIO_PI5_EARLY, FAKE_GPIO_OTHER } fake_gpio_board;
void fake_gpio_be(fake_gpio_board kind);
/// From now on this user may not open the first (0) or the second (1) chip.
void fake_gpio_close_chip(int chip);
/// The first line of a chip that is taken, or -1.
int fake_gpio_taken_of(int chip);
/// From now on every call fails with this errno; 0: none does.
void fake_gpio_fail(int reason);
/// Whether a line is taken, the flags it was taken with (of libgpiod), and its level as an output.
int fake_gpio_is_taken(int line);
int fake_gpio_flags(int line);
int fake_gpio_level(int line);
/// How often outputs were set.
int fake_gpio_writes(void);
/// Drives an input, without an edge that is told.
void fake_gpio_drive(int line, int level);
/// Tells of an edge to a level, stamped in nanoseconds.
void fake_gpio_edge(int line, int level, int64_t nanoseconds);

#endif

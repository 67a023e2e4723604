// A GPIO chip of eight lines that exists in tests alone, in the place of libgpiod's functions. One for each thread.

#ifndef FAKE_GPIO_H
#define FAKE_GPIO_H

#include <stdint.h>

/// A chip named "gpiochip0" with the label "fake", whose lines are named LINE0 ... LINE7 and are free, low and without a fault.
void fake_gpio_reset(void);
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

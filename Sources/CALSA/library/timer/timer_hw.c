#include <timer/timer_hw.c>

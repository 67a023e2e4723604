#include <timer/timer.c>

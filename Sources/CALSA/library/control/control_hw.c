#include <control/control_hw.c>

#include <control/control.c>

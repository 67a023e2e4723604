#include <control/setup.c>

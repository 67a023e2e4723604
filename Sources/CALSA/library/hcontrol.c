#include <control/hcontrol.c>

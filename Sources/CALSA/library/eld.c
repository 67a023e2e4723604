#include <control/eld.c>

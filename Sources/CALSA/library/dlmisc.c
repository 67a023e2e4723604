#include <dlmisc.c>

#define NDEBUG
#include "libregexp.c"

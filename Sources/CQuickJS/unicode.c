#define NDEBUG
#include "libunicode.c"

#define NDEBUG
#include "dtoa.c"

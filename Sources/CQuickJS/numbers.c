#define NDEBUG
#define abort tl_script_abort
#include "dtoa.c"

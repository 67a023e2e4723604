#define NDEBUG
#define abort tl_script_abort
#include "libregexp.c"

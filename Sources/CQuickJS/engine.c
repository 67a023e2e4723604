// The engine itself, from the folder that `board/prepare` left it in. Its words are printed nowhere, its asserts are off, where it
// would end the program it ends the script, and the one call that takes a lock of the C library is ours (script.c).
#define NDEBUG
#define abort tl_script_abort
#define __STDC_NO_ATOMICS__ 1
#define localtime_r tl_script_local_time
#include "quickjs.c"

#include "tl_calls.h"
#include "tl_threads.h"

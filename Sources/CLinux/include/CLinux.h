#include "tl_calls.h"
#include "tl_process.h"
#include "tl_threads.h"
#include "tl_v4l2.h"

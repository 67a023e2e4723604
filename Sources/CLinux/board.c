#include "private.h"
#include "tl_board.h"

#include <sys/timex.h>

static int is_synchronized(void) {
    struct timex clock = {.modes = 0};
    if (adjtimex(&clock) == -1) return -1;
    return (clock.status & STA_UNSYNC) == 0;
}

int64_t tl_clock_is_synchronized(void) { RETURN_CALL(adjtimex, 0, is_synchronized()); }


#include "private.h"
#include "tl_board.h"

#include <sys/ioctl.h>
#include <sys/timex.h>

static int is_synchronized(void) {
    struct timex clock = {.modes = 0};
    if (adjtimex(&clock) == -1) return -1;
    return (clock.status & STA_UNSYNC) == 0;
}

int64_t tl_clock_is_synchronized(void) { RETURN_CALL(adjtimex, 0, is_synchronized()); }

// <linux/.../vcio.h>: _IOWR(100, 0, char *). The size in it is that of a pointer, so it differs with the kernel's width.
#define MAILBOX_PROPERTY _IOWR(100, 0, char *)
#define GET_THROTTLED 0x00030046u
#define SUCCESS 0x80000000u

int64_t tl_mailbox_throttled(int32_t fd, uint32_t *out) {
    // Bytes in all, request; tag, bytes of room, bytes used, value; end. A value other than 0 would clear what is told.
    _Alignas(16) uint32_t message[7] = {sizeof message, 0, GET_THROTTLED, 4, 4, 0, 0};
    int64_t result = tl_ioctl(fd, MAILBOX_PROPERTY, message);
    if (result < 0) return result;
    if (message[1] != SUCCESS || !(message[4] & SUCCESS)) return -EIO;
    *out = message[5];
    return 0;
}

// board/firmware links another one, so that a new commit compiles nothing anew.
__attribute__((weak)) const char *tl_build_name(void) { return "debug"; }

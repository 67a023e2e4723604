// What the board tells of itself beside files. Results as in tl_calls.h.

#ifndef TL_BOARD_H
#define TL_BOARD_H

#include <stdint.h>

/// adjtimex(2), changing nothing: 1 when something keeps the system's clock right, 0 when nothing does (STA_UNSYNC).
int64_t tl_clock_is_synchronized(void);

/// Asks the firmware of a Raspberry Pi, by its open mailbox /dev/vcio, for the state of throttling: tag 0x00030046 of
/// the property interface. -EIO when the firmware does not know the tag.
int64_t tl_mailbox_throttled(int32_t fd, uint32_t *out);

/// Which build this is: the commit and its day, such as "7dc01f431c2a 2026-11-30", in a firmware (board/toolsets/build-name.c), and "debug"
/// elsewhere. Never null, and there for as long as the program runs.
const char *tl_build_name(void);

#endif

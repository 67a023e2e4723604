// What Swift does without memory, in firmware. Every allocation of Embedded Swift 6.3.1 is a posix_memalign(3), whose failure it does not look
// at: the program is killed where it first uses the null pointer (SIGSEGV) or, if the compiler put a check there, traps. Nothing in Swift can
// ask before `[]`, a class or a closure is made; a `ReservedBuffer` is asked for by itself and throws. So a program that gets nothing ends
// here instead, with a sentence and EX_OSERR (sysexits.h), and systemd starts it again. The linker leads those calls here (`--wrap` in
// board/firmware); C libraries ask malloc(3), and answer for themselves.
#include "private.h"
#include "tl_process.h"

#include <stddef.h>
#include <sysexits.h>
#include <unistd.h>

void tl_end_without_memory(void) {
    static const char reason[] = "talon: out of memory; it has to be started again\n";
    if (tl_is_confined || write(STDERR_FILENO, reason, sizeof reason - 1) == -1) _exit(EX_OSERR);
    _exit(EX_OSERR);
}

#ifdef TALON_FIRMWARE
int __real_posix_memalign(void **out, size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);

int __wrap_posix_memalign(void **out, size_t alignment, size_t size) {
    if (__real_posix_memalign(out, alignment, size)) tl_end_without_memory();
    return 0;
}
#endif

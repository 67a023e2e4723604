// What Swift does without memory, in firmware. Every allocation of Embedded Swift 6.3.1 is a posix_memalign(3), whose failure it does not look
// at: the program is killed where it first uses the null pointer (SIGSEGV) or, if the compiler put a check there, traps. Nothing in Swift can
// ask before `[]`, a class or a closure is made; a `ReservedBuffer` is asked for by itself and throws. So a program that gets nothing ends
// here instead, with a sentence and EX_OSERR (sysexits.h), and systemd starts it again. The linker leads those calls here (`--wrap` in
// board/firmware); C libraries ask malloc(3), and answer for themselves.
#include "private.h"
#include "tl_process.h"

#include <stddef.h>
#include <stdint.h>
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

#ifdef __LP64__
// The word of a String that says where its bytes are has tags in its highest and lowest bits, and a short text whole: a bridge object. Retaining
// one gives it back as it is, which the compiler counts on, above all where it makes one call of several (swift_bridgeObjectRetain_n). That
// of Embedded Swift 6.3.1 gives back the address without the tags, so a short text loses bits (EmbeddedRuntime.swift of its library). These
// take the place of the weak ones that every module carries.
void *swift_retain_n(void *object, uint32_t count);
void *swift_bridgeObjectRetain(void *object);
void *swift_bridgeObjectRetain_n(void *object, uint32_t count);

void *swift_bridgeObjectRetain_n(void *object, uint32_t count) {
    const uintptr_t tags = 0x7000000000000007;
    uintptr_t address = (uintptr_t)object & ~tags;
    // With the highest bit it is no object: a short text, or a literal.
    if (!((uintptr_t)object >> 63) && address) swift_retain_n((void *)address, count);
    return object;
}

void *swift_bridgeObjectRetain(void *object) { return swift_bridgeObjectRetain_n(object, 1); }
#endif
#endif

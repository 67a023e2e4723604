// openh264 is C++, and uses of its language what C can give in a page: memory, virtual tables, statics. It throws and
// catches nothing and asks no object for its type. In firmware this stands for the C++ library, which would bring a
// megabyte; programs on the host have the real one.

#ifdef TALON_FIRMWARE

#include <stddef.h>
#include <stdlib.h>

#include "tl_process.h"

// `new` does not return without memory, and its callers do not look.
static void *take(size_t count) {
    void *memory = malloc(count ? count : 1);
    if (!memory) tl_end_without_memory();
    return memory;
}

// Itanium C++ ABI 5.1.4: `size_t` is m or j in mangled names, by its width.
#if __SIZEOF_SIZE_T__ == 8
void *_Znwm(size_t count) { return take(count); }
void *_Znam(size_t count) { return take(count); }
void _ZdlPvm(void *memory, size_t count) { free(memory); }
void _ZdaPvm(void *memory, size_t count) { free(memory); }
#else
void *_Znwj(size_t count) { return take(count); }
void *_Znaj(size_t count) { return take(count); }
void _ZdlPvj(void *memory, size_t count) { free(memory); }
void _ZdaPvj(void *memory, size_t count) { free(memory); }
#endif
void _ZdlPv(void *memory) { free(memory); }
void _ZdaPv(void *memory) { free(memory); }

// 3.3.3, guards of statics inside functions; the encoder is opened by one thread at a time. ARM looks at the lowest bit
// of a word, the others at the first byte: on little endian machines these are one.
int __cxa_guard_acquire(char *guard) { return !*guard; }
void __cxa_guard_release(char *guard) { *guard = 1; }
void __cxa_guard_abort(char *guard) { (void)guard; }

// Named by unwind tables, which firmware does not have (board/toolsets/no-unwind.ld).
void __gxx_personality_v0(void) { abort(); }
void __cxa_end_cleanup(void) { abort(); }
void __cxa_throw_bad_array_new_length(void) { abort(); }

// 2.9.5: what type descriptions point to. Nobody reads them.
void *_ZTVN10__cxxabiv117__class_type_infoE[8];
void *_ZTVN10__cxxabiv120__si_class_type_infoE[8];
void *_ZTVN10__cxxabiv121__vmi_class_type_infoE[8];

#else
typedef int not_in_firmware;
#endif

#include "CAllocationCounter.h"

#include <errno.h>
#include <stddef.h>

// glibc's own functions under their second names: defining malloc in the program replaces it everywhere, these stay.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static __thread int counting;
static __thread uint64_t count;

void tl_count_allocations(void) {
    count = 0;
    counting = 1;
}

uint64_t tl_counted_allocations(void) {
    counting = 0;
    return count;
}

void *malloc(size_t size) {
    count += counting;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count += counting;
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count += counting;
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count += counting;
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    void *bytes = aligned_alloc(alignment, size);
    if (!bytes) return ENOMEM;
    *out = bytes;
    return 0;
}

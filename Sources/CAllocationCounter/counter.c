#define _GNU_SOURCE
#include "CAllocationCounter.h"

#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

// glibc's own functions under their second names: defining malloc in the program replaces it everywhere, these stay.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static __thread int counting;
static __thread uint64_t count;
// Allocations until one fails, 0: none does; whether those after it fail, too; and how many have.
static __thread uint64_t until;
static __thread int goes_on;
static __thread uint64_t failed;
// Where the runtime of Swift stands, which ends the program when it gets no memory.
static uintptr_t swift_start, swift_end;

static int find_swift(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    (void)data;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "libswiftCore")) return 0;
    swift_start = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && end > swift_end) swift_end = end;
    }
    return 1;
}

void tl_count_allocations(void) {
    count = 0;
    counting = 1;
}

uint64_t tl_counted_allocations(void) {
    counting = 0;
    return count;
}

void tl_fail_allocation(uint64_t number, int others) {
    if (!swift_end) dl_iterate_phdr(find_swift, NULL);
    failed = 0;
    goes_on = others;
    until = number;
}

uint64_t tl_failed_allocations(void) {
    until = 0;
    return failed;
}

// fails CALLER: this allocation gets nothing.
static inline int fails(void *caller) {
    if (!until) return 0;
    if ((uintptr_t)caller >= swift_start && (uintptr_t)caller < swift_end) return 0;
    if (until > 1) {
        until--;
        return 0;
    }
    if (failed && !goes_on) return 0;
    failed++;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    count += counting;
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count += counting;
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count += counting;
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count += counting;
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    count += counting;
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    count += counting;
    void *bytes = fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
    if (!bytes) return ENOMEM;
    *out = bytes;
    return 0;
}

// Memory by mmap(2): of devices, in reserve, and between pages that guard it.
#include "private.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int map(void **out, size_t length, int protection, int flags, int fd, off_t offset) {
    void *address = mmap(NULL, length, protection, flags, fd, offset);
    if (address == MAP_FAILED) return -1;
    *out = address;
    return 0;
}

int64_t tl_mmap(int32_t fd, size_t length, int64_t offset, void **out) {
    RETURN_CALL(mmap, fd, map(out, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset));
}

// What lies around the places that are read stays where it is.
static int map_read(void **out, size_t length, int fd) {
    if (map(out, length, PROT_READ, MAP_PRIVATE, fd, 0) == -1) return -1;
    madvise(*out, length, MADV_RANDOM);
    return 0;
}

int64_t tl_mmap_read(int32_t fd, size_t length, void **out) { RETURN_CALL(mmap, fd, map_read(out, length, fd)); }

// Boards differ: 4 KiB here, 16 KiB on a Raspberry Pi 5.
static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

// Of guarded memory: its pages, without those that guard it, and what of them comes before its first byte.
static size_t guarded_pages(size_t length) { return (length + page_size() - 1) / page_size() * page_size(); }
static size_t guarded_slack(size_t length) { return (guarded_pages(length) - length) / 16 * 16; }

static int reserve_guarded(void **out, size_t length) {
    size_t page = page_size(), whole = guarded_pages(length) + 2 * page;
    if (whole < length) {
        errno = ENOMEM;
        return -1;
    }
    void *address;
    if (map(&address, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == -1) return -1;
    if (mprotect((char *)address + page, whole - 2 * page, PROT_READ | PROT_WRITE) == -1) {
        int reason = errno;
        munmap(address, whole);
        errno = reason;
        return -1;
    }
    *out = (char *)address + page + guarded_slack(length);
    return 0;
}

int64_t tl_reserve(size_t length, void **out) {
    RETURN_CALL(mmap, -1, map(out, length, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

int64_t tl_reserve_guarded(size_t length, void **out) { RETURN_CALL(mmap, -1, reserve_guarded(out, length)); }

void tl_unreserve_guarded(void *address, size_t length) {
    munmap((char *)address - guarded_slack(length) - page_size(), guarded_pages(length) + 2 * page_size());
}

void tl_release_guarded(void *address, size_t length) {
    size_t slack = guarded_slack(length);
    tl_release_pages((char *)address - slack, length + slack);
}

void tl_release_pages(void *address, size_t length) {
    uintptr_t page = page_size();
    uintptr_t end = (uintptr_t)address + length, start = ((uintptr_t)address + page - 1) / page * page;
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
}
void tl_munmap(void *address, size_t length) { munmap(address, length); }

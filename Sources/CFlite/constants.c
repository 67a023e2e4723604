#include "constants.h"

#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define RELATIVE R_X86_64_RELATIVE
#elif defined(__aarch64__)
#define RELATIVE R_AARCH64_RELATIVE
#elif defined(__arm__)
#define RELATIVE R_ARM_RELATIVE
#endif
#if UINTPTR_MAX > 0xffffffff
#define TYPE ELF64_R_TYPE
#else
#define TYPE ELF32_R_TYPE
#endif

// The linker's names for where the section of pointers.h begins and ends.
extern char __start_flite_constants[], __stop_flite_constants[];

// The whole pages of the section, and what the program's loader would write into them: the table of packed relocations (DT_RELR), in which a
// word is an address or, when it is odd, a mask of the 63 or 31 words that follow; and that of others, with their addends (DT_RELA) or with
// addends that stand in place (DT_REL), of which only relative ones are known here.
static struct {
    uintptr_t start, end, base;
    const ElfW(Relr) *packed;
    size_t packed_count;
    const ElfW(Rela) *added;
    size_t added_count;
    const ElfW(Rel) *placed;
    size_t placed_count;
    bool is_released;
} constants;

static bool is_constant(uintptr_t address) { return address >= constants.start && address < constants.end; }

static void move(uintptr_t address) {
    if (is_constant(address)) *(uintptr_t *)address += constants.base;
}

static void restore_packed(void) {
    const size_t bits = sizeof(ElfW(Relr)) * 8;
    uintptr_t next = 0;
    for (size_t index = 0; index < constants.packed_count; index++) {
        ElfW(Relr) word = constants.packed[index];
        if (!(word & 1)) {
            move(constants.base + word);
            next = constants.base + word + sizeof word;
            continue;
        }
        for (size_t bit = 1; bit < bits; bit++) {
            if (word >> bit & 1) move(next + (bit - 1) * sizeof word);
        }
        next += (bits - 1) * sizeof word;
    }
}

static void restore_others(void) {
    for (size_t index = 0; index < constants.added_count; index++) {
        const ElfW(Rela) *entry = &constants.added[index];
        const uintptr_t address = constants.base + entry->r_offset;
        if (is_constant(address)) *(uintptr_t *)address = constants.base + (uintptr_t)entry->r_addend;
    }
    for (size_t index = 0; index < constants.placed_count; index++) move(constants.base + constants.placed[index].r_offset);
}

// True when nothing but a sum with the base makes a constant: no symbol of another file, and no function that is chosen at the start.
static bool is_relative(void) {
    for (size_t index = 0; index < constants.added_count; index++) {
        const ElfW(Rela) *entry = &constants.added[index];
        if (is_constant(constants.base + entry->r_offset) && TYPE(entry->r_info) != RELATIVE) return false;
    }
    for (size_t index = 0; index < constants.placed_count; index++) {
        const ElfW(Rel) *entry = &constants.placed[index];
        if (is_constant(constants.base + entry->r_offset) && TYPE(entry->r_info) != RELATIVE) return false;
    }
    return true;
}

// Some loaders have made addresses of what the table of the file has.
static const void *address_of(const ElfW(Dyn) *entry) {
    const uintptr_t value = entry->d_un.d_ptr;
    return (const void *)(value < constants.base ? constants.base + value : value);
}

// The main program comes first, and ends the walk.
static int find_tables(struct dl_phdr_info *program, size_t size, void *context) {
    (void)size;
    (void)context;
    constants.base = program->dlpi_addr;
    const ElfW(Dyn) *entry = NULL;
    for (int index = 0; index < program->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[index];
        if (segment->p_type == PT_DYNAMIC) entry = (const ElfW(Dyn) *)(constants.base + segment->p_vaddr);
    }
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_RELR: constants.packed = address_of(entry); break;
        case DT_RELRSZ: constants.packed_count = entry->d_un.d_val / sizeof *constants.packed; break;
        case DT_RELA: constants.added = address_of(entry); break;
        case DT_RELASZ: constants.added_count = entry->d_un.d_val / sizeof *constants.added; break;
        case DT_REL: constants.placed = address_of(entry); break;
        case DT_RELSZ: constants.placed_count = entry->d_un.d_val / sizeof *constants.placed; break;
        default: break;
        }
    }
    return 1;
}

bool tl_constants_restore(void) {
    if (!constants.is_released) return true;
    void *start = (void *)constants.start;
    const size_t length = constants.end - constants.start;
    if (mprotect(start, length, PROT_READ | PROT_WRITE) == -1) return false;
    restore_packed();
    restore_others();
    mprotect(start, length, PROT_READ);
    constants.is_released = false;
    return true;
}

void tl_constants_release(void) {
    if (constants.is_released || constants.start >= constants.end) return;
    void *start = (void *)constants.start;
    const size_t length = constants.end - constants.start;
    constants.is_released = mprotect(start, length, PROT_READ) == 0 && madvise(start, length, MADV_DONTNEED) == 0;
}

__attribute__((constructor)) static void release_at_start(void) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    constants.start = ((uintptr_t)__start_flite_constants + page - 1) & ~(page - 1);
    constants.end = (uintptr_t)__stop_flite_constants & ~(page - 1);
    dl_iterate_phdr(find_tables, NULL);
    // A program with a fixed address has nothing to write, and one with other relocations keeps what its loader wrote.
    if (constants.base == 0 || !is_relative()) constants.end = constants.start;
    tl_constants_release();
}

// Where a static position-independent program begins on 32-bit ARM. Debian's C library has everything for one but the file that the
// kernel enters (rcrt1.o): its objects are position-independent, and nothing in it relocates them. So this does, before the library's own
// start (Scrt1.o, as tl_library_start) runs.
//
// That start believes that the program stands where it was linked, and takes the addresses of thread-local data and of what becomes
// read-only (PT_TLS, PT_GNU_RELRO) from the program headers that the kernel names. It is given a copy, with addresses as they are.
// ABI: "ELF for the Arm Architecture" (IHI 0044), relocation codes; gABI, DT_RELR.
#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#ifndef DT_RELR
#define DT_RELRSZ 35
#define DT_RELR 36
#endif

// Nothing may be called before it is relocated, nor the canary looked at before it is made.
#define EARLY __attribute__((no_builtin, no_stack_protector))

/// At the first byte of the program, which was linked to address 0.
extern const Elf32_Ehdr __ehdr_start __attribute__((visibility("hidden")));
extern const Elf32_Dyn _DYNAMIC[] __attribute__((visibility("hidden")));

/// lld makes eleven.
enum { HEADERS = 16 };
static Elf32_Phdr headers[HEADERS];

/// What the program is relocated by.
typedef struct {
    const Elf32_Rel *plain;
    size_t plain_count;
    const uint32_t *packed;
    size_t packed_count;
} tl_relocations;

EARLY static tl_relocations relocations(uintptr_t base) {
    tl_relocations found = {0};
    for (const Elf32_Dyn *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++) {
        uintptr_t value = entry->d_un.d_val;
        if (entry->d_tag == DT_REL) found.plain = (const Elf32_Rel *)(base + value);
        if (entry->d_tag == DT_RELSZ) found.plain_count = value / sizeof(Elf32_Rel);
        if (entry->d_tag == DT_RELR) found.packed = (const uint32_t *)(base + value);
        if (entry->d_tag == DT_RELRSZ) found.packed_count = value / sizeof(uint32_t);
    }
    return found;
}

/// An even entry is an address; an odd one has a bit for each of the 31 words that follow.
EARLY static void move_packed(uintptr_t base, const tl_relocations *all) {
    uintptr_t *word = NULL;
    for (size_t index = 0; index < all->packed_count; index++) {
        uint32_t entry = all->packed[index];
        if (!(entry & 1)) {
            word = (uintptr_t *)(base + entry);
            *word++ += base;
            continue;
        }
        for (int bit = 0; bit < 31; bit++)
            if (entry >> (bit + 1) & 1) word[bit] += base;
        word += 31;
    }
}

/// Functions that the library chooses by the processor are chosen last: the choice itself may need what is moved.
EARLY static void move_plain(uintptr_t base, const tl_relocations *all, uint32_t processor) {
    for (size_t index = 0; index < all->plain_count; index++)
        if (ELF32_R_TYPE(all->plain[index].r_info) == R_ARM_RELATIVE) *(uintptr_t *)(base + all->plain[index].r_offset) += base;
    for (size_t index = 0; index < all->plain_count; index++) {
        if (ELF32_R_TYPE(all->plain[index].r_info) != R_ARM_IRELATIVE) continue;
        uintptr_t *word = (uintptr_t *)(base + all->plain[index].r_offset);
        *word = ((uintptr_t(*)(uint32_t))(base + *word))(processor);
    }
}

/// `stack`: as the kernel leaves it: the number of arguments, they, 0, the environment, 0, the auxiliary vector.
EARLY __attribute__((used)) void tl_relocate(uintptr_t *stack) {
    uintptr_t base = (uintptr_t)&__ehdr_start;
    uintptr_t *environment = stack + 1 + stack[0] + 1;
    while (*environment) environment++;
    Elf32_auxv_t *place = NULL;
    uint32_t count = 0, processor = 0;
    for (Elf32_auxv_t *fact = (Elf32_auxv_t *)(environment + 1); fact->a_type != AT_NULL; fact++) {
        if (fact->a_type == AT_PHDR) place = fact;
        if (fact->a_type == AT_PHNUM) count = fact->a_un.a_val;
        if (fact->a_type == AT_HWCAP) processor = fact->a_un.a_val;
    }
    tl_relocations all = relocations(base);
    move_packed(base, &all);
    move_plain(base, &all, processor);
    if (!place || count > HEADERS) __builtin_trap();
    const Elf32_Phdr *given = (const Elf32_Phdr *)place->a_un.a_val;
    for (uint32_t index = 0; index < count; index++) {
        headers[index] = given[index];
        headers[index].p_vaddr += base;
    }
    place->a_un.a_val = (uintptr_t)headers;
}

/// The kernel leaves 0 in r0: nothing is registered for the end.
__attribute__((naked)) void _start(void) {
    __asm__("mov r0, sp\n\t"
            "bl tl_relocate\n\t"
            "mov r0, #0\n\t"
            "b tl_library_start");
}

// OpenSSL would make fibres of these (ASYNC_start_job), and nothing in Talon starts one. The C library's own are assembler with an absolute
// address in the code (R_ARM_ABS32 of _dl_hwcap), which lld refuses in a position-independent program: here they say that there are none.
int getcontext(ucontext_t *context) {
    (void)context;
    errno = ENOSYS;
    return -1;
}

int setcontext(const ucontext_t *context) {
    (void)context;
    errno = ENOSYS;
    return -1;
}

void makecontext(ucontext_t *context, void (*function)(void), int count, ...) {
    (void)context, (void)function, (void)count;
    __builtin_trap();
}

#include "tl_process.h"

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static int argument_count;
static char **arguments;

// glibc hands the command line to constructors, in static programs too.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    argument_count = count;
    arguments = values;
}

int32_t tl_argument_count(void) { return argument_count; }
const char *tl_argument(int32_t index) { return arguments[index]; }
const char *tl_environment(const char *name) { return getenv(name); }

int64_t tl_hang_up(int32_t pid) { return kill(pid, SIGHUP) == -1 ? -errno : 0; }

int64_t tl_start_over(void) {
    execv("/proc/self/exe", arguments);
    return -errno;
}

// The main program comes first, and ends the walk.
static int release_code_of(struct dl_phdr_info *program, size_t size, void *context) {
    (void)size;
    (void)context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < program->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || (segment->p_flags & (PF_X | PF_W)) != PF_X) continue;
        uintptr_t start = program->dlpi_addr + segment->p_vaddr;
        uintptr_t end = (start + segment->p_memsz) & ~(page - 1);
        start = (start + page - 1) & ~(page - 1);
        // Advice: when it is not taken, nothing is lost.
        if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 1;
}

void tl_release_code(void) { dl_iterate_phdr(release_code_of, NULL); }

void tl_exit(int32_t code) { exit(code); }

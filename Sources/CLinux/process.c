#include "tl_calls.h"
#include "tl_process.h"

#include <errno.h>
#include <grp.h>
#include <link.h>
#include <malloc.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
void tl_forget_environment(const char *name) { unsetenv(name); }

// fgetpwent(3) and fgetgrent(3) read the files themselves: getpwuid(3) loads modules, which no static program can.
static int name_of(uid_t user, char *name, size_t room) {
    FILE *file = fopen("/etc/passwd", "re");
    if (!file) return 0;
    struct passwd *entry;
    while ((entry = fgetpwent(file)) && entry->pw_uid != user) {}
    int is_known = entry && strlen(entry->pw_name) < room;
    if (is_known) strcpy(name, entry->pw_name);
    fclose(file);
    return is_known;
}

static size_t groups_of(const char *name, gid_t first, gid_t *groups, size_t room) {
    size_t count = 0;
    groups[count++] = first;
    FILE *file = fopen("/etc/group", "re");
    if (!file) return count;
    struct group *entry;
    while (count < room && (entry = fgetgrent(file))) {
        for (char **member = entry->gr_mem; *member; member++) {
            if (strcmp(*member, name) == 0 && entry->gr_gid != first) {
                groups[count++] = entry->gr_gid;
                break;
            }
        }
    }
    fclose(file);
    return count;
}

int64_t tl_become(uint32_t user, uint32_t group) {
    char name[64];
    gid_t groups[64] = {group};
    size_t count = 1;
    if (name_of(user, name, sizeof name)) count = groups_of(name, group, groups, sizeof groups / sizeof *groups);
    if (setgroups(count, groups) == -1 || setresgid(group, group, group) == -1 || setresuid(user, user, user) == -1)
        return -errno;
    // No way back, or not done.
    if (setuid(0) == 0 || getuid() != user || geteuid() != user || getegid() != group) return -EPERM;
    return 0;
}

int64_t tl_hang_up(int32_t pid) { return kill(pid, SIGHUP) == -1 ? -errno : 0; }

int64_t tl_start_over(const char *name, const char *value) {
    if (value && setenv(name, value, 1)) return -errno;
    execv("/proc/self/exe", arguments);
    return -errno;
}

// MARK: Memory that an idle program does not need

// The main program comes first, and ends the walk.
static int release_file_of(struct dl_phdr_info *program, size_t size, void *context) {
    (void)size;
    (void)context;
    for (int index = 0; index < program->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        tl_release_pages((void *)(program->dlpi_addr + segment->p_vaddr), segment->p_memsz);
    }
    return 1;
}

// What is below this call on the stack is dead, but for what the compiler may still put there: the first pages. The kernel leaves 128 MiB
// free below the main thread's stack (mmap_base), so that nothing else can be in the range; unmapped pages of it are passed over.
static void release_stack(void) {
    const size_t kept = 4 * 4096, released = 1 << 20;
    tl_release_pages((char *)__builtin_frame_address(0) - kept - released, released);
}

void tl_trim(void) {
    malloc_trim(0);
    release_stack();
    dl_iterate_phdr(release_file_of, NULL);
}

void tl_exit(int32_t code) { exit(code); }

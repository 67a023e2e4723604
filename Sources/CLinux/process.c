#include "tl_process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
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

void tl_exit(int32_t code) { exit(code); }

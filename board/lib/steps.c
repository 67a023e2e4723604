// Writes the addresses of all instructions that a running program executes in some seconds, each once, as `nm` writes addresses: as if the
// program began at 0. Steps through the threads that it has (ptrace(2), PTRACE_SINGLESTEP); of x86_64.
//
//   steps PID SECONDS > ADDRESSES
#define _GNU_SOURCE
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { threads_max = 64 };

static int threads[threads_max], thread_count;
static uintptr_t low, high;
static unsigned char *executed;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

// Where the program's own file is mapped.
static void find_program(int pid) {
    char path[64], program[512], line[1024], name[512];
    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    const ssize_t length = readlink(path, program, sizeof program - 1);
    if (length < 0) fail(path);
    program[length] = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    FILE *maps = fopen(path, "r");
    if (!maps) fail(path);
    while (fgets(line, sizeof line, maps)) {
        uintptr_t start, end;
        name[0] = 0;
        if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %511s", &start, &end, name) < 3 || strcmp(name, program) != 0) continue;
        if (!low) low = start;
        high = end;
    }
    fclose(maps);
    executed = calloc(1, high - low);
    if (!executed) fail("memory");
}

static void stop_threads(int pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *folder = opendir(path);
    if (!folder) fail(path);
    struct dirent *entry;
    while ((entry = readdir(folder)) && thread_count < threads_max) {
        const int thread = atoi(entry->d_name);
        if (!thread) continue;
        if (ptrace(PTRACE_SEIZE, thread, 0, 0) == -1) fail("PTRACE_SEIZE");
        if (ptrace(PTRACE_INTERRUPT, thread, 0, 0) == -1) fail("PTRACE_INTERRUPT");
        threads[thread_count++] = thread;
    }
    closedir(folder);
}

// Lets every thread that has stopped go one instruction further.
static void step_until(time_t end) {
    const struct timespec pause = {0, 1000000};
    while (time(NULL) < end) {
        int status;
        const int thread = waitpid(-1, &status, __WALL | WNOHANG);
        if (thread == -1) fail("the program has ended");
        if (thread == 0) {
            nanosleep(&pause, NULL);
            continue;
        }
        if (!WIFSTOPPED(status)) continue;
        struct user_regs_struct registers;
        if (ptrace(PTRACE_GETREGS, thread, 0, &registers) == 0 && registers.rip >= low && registers.rip < high) {
            executed[registers.rip - low] = 1;
        }
        // Stops of the tracing itself are no signals of the program.
        const int signal = WSTOPSIG(status) == SIGTRAP || status >> 16 ? 0 : WSTOPSIG(status);
        ptrace(PTRACE_SINGLESTEP, thread, 0, signal);
    }
}

// A thread that is let go in the middle of a step would end by its trap.
static void let_go(void) {
    for (int index = 0; index < thread_count; index++) {
        ptrace(PTRACE_INTERRUPT, threads[index], 0, 0);
        waitpid(threads[index], NULL, __WALL);
        ptrace(PTRACE_DETACH, threads[index], 0, 0);
    }
}

int main(int count, char **words) {
    if (count != 3) return 64;
    const int pid = atoi(words[1]);
    const time_t end = time(NULL) + atoi(words[2]);
    find_program(pid);
    stop_threads(pid);
    step_until(end);
    let_go();
    for (uintptr_t at = 0; at < high - low; at++) {
        if (executed[at]) printf("%016lx\n", at);
    }
    return 0;
}

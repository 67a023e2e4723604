#include "CStepCounter.h"

#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static int open_counter(void) {
    struct perf_event_attr wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.size = sizeof wanted;
    wanted.type = PERF_TYPE_HARDWARE;
    wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
    wanted.exclude_kernel = 1;
    wanted.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static __thread int counter = -1;
static __thread int is_stepping;

#if defined(__x86_64__)

enum { TRAP_FLAG = 0x100 };

static __thread volatile uint64_t steps;
static __thread volatile uint64_t most_steps;

// The flag is off inside of the handler, and on again where it returns to.
static void step(int number, siginfo_t *info, void *place) {
    (void)info;
    ucontext_t *context = place;
    if (!is_stepping) {
        // A trap of somebody else, which ends the program when it is met again.
        signal(number, SIG_DFL);
        return;
    }
    steps++;
    if (steps >= most_steps) context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

// Other threads may be stepping, so the handler stays.
static void install(void) {
    struct sigaction now, wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.sa_sigaction = step;
    wanted.sa_flags = SA_SIGINFO | SA_RESTART;
    if (sigaction(SIGTRAP, NULL, &now) == 0 && now.sa_sigaction == step) return;
    sigaction(SIGTRAP, &wanted, NULL);
}

// The red zone below the stack's end is the caller's.
static void set_trap_flag(int is_on) {
    if (is_on) {
        __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::: "memory", "cc");
    } else {
        __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $-257, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::: "memory", "cc");
    }
}

#endif

int tl_steps_are_cheap(void) {
    int file = open_counter();
    if (file == -1) return 0;
    close(file);
    return 1;
}

void tl_count_steps(uint64_t most) {
    counter = open_counter();
    if (counter != -1) return;
#if defined(__x86_64__)
    install();
    steps = 0;
    most_steps = most;
    is_stepping = 1;
    set_trap_flag(1);
#else
    (void)most;
#endif
}

int64_t tl_counted_steps(void) {
    if (counter != -1) {
        int64_t count = -1;
        if (read(counter, &count, sizeof count) != sizeof count) count = -1;
        close(counter);
        counter = -1;
        return count;
    }
#if defined(__x86_64__)
    set_trap_flag(0);
    if (is_stepping) {
        is_stepping = 0;
        return (int64_t)steps;
    }
#endif
    return -1;
}

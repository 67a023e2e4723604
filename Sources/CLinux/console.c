#include <errno.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>

#include "private.h"
#include "tl_fb.h"

const int32_t TL_CONSOLE_RELEASE = SIGUSR1, TL_CONSOLE_ACQUIRE = SIGUSR2;

// Passed by value, as the console's requests want it.
static int64_t order(int32_t fd, uint64_t request, int32_t value) {
    return tl_ioctl(fd, request, (void *)(intptr_t)value);
}

int64_t tl_console_shown(int32_t fd) {
    struct vt_stat state = {0};
    int64_t result = tl_ioctl(fd, VT_GETSTATE, &state);
    return result < 0 ? result : state.v_active;
}

int64_t tl_console_is_text(int32_t fd) {
    int mode = 0;
    int64_t result = tl_ioctl(fd, KDGETMODE, &mode);
    return result < 0 ? result : mode == KD_TEXT;
}

// MARK: After a crash

// What the handler gives back. It makes plain system calls alone, for nothing else may be relied on in it.
static volatile sig_atomic_t taken_fd = -1, taken_keyboard;
// The console that is taken, and the one that was shown before; 0: it was this one.
static volatile sig_atomic_t taken_number, shown_before;
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
#define CRASHES (sizeof crashes / sizeof *crashes)
static struct sigaction before[CRASHES];

// Whoever went on to a third console goes on looking at it. The first is shown as long as the kernel has not come to show ours.
static void show_before(int fd) {
    struct vt_stat state = {0};
    if (!shown_before || ioctl(fd, VT_GETSTATE, &state) < 0) return;
    if (state.v_active == taken_number || state.v_active == shown_before) ioctl(fd, VT_ACTIVATE, (long)shown_before);
}

static void restore_text(int fd, int keyboard) {
    struct vt_mode automatic = {.mode = VT_AUTO};
    ioctl(fd, VT_SETMODE, &automatic);
    ioctl(fd, KDSKBMODE, (long)keyboard);
    ioctl(fd, KDSETMODE, (long)KD_TEXT);
    show_before(fd);
}

static void crashed(int signal) {
    if (taken_fd >= 0) restore_text(taken_fd, taken_keyboard);
    taken_fd = -1;
    // Whoever handled it before, or the default action, ends the program when this handler returns.
    for (size_t index = 0; index < CRASHES; index++) {
        if (crashes[index] == signal) sigaction(signal, &before[index], NULL);
    }
    raise(signal);
}

static void arm(int32_t fd, int keyboard) {
    taken_keyboard = keyboard;
    if (taken_fd < 0) {
        // On the stack for signals, if the thread has one: its own may be what overflowed.
        struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
        sigemptyset(&action.sa_mask);
        for (size_t index = 0; index < CRASHES; index++) sigaction(crashes[index], &action, &before[index]);
    }
    taken_fd = fd;
}

static void disarm(void) {
    if (taken_fd < 0) return;
    taken_fd = -1;
    for (size_t index = 0; index < CRASHES; index++) sigaction(crashes[index], &before[index], NULL);
}

// MARK: Taking and giving back

int64_t tl_console_take(int32_t fd, int32_t number, int32_t before) {
    int keyboard = K_UNICODE;
    taken_number = number;
    shown_before = before;
    tl_ioctl(fd, KDGKBMODE, &keyboard);
    // Left by a run that ended badly.
    if (keyboard == K_OFF) keyboard = K_UNICODE;
    arm(fd, keyboard);
    int64_t result = order(fd, KDSETMODE, KD_GRAPHICS);
    if (result >= 0) {
        struct vt_mode asked = {.mode = VT_PROCESS, .relsig = SIGUSR1, .acqsig = SIGUSR2};
        result = tl_ioctl(fd, VT_SETMODE, &asked);
    }
    // Not every kernel lets a user without rights silence it; then what is typed goes to who reads the console too.
    if (result >= 0) order(fd, KDSKBMODE, K_OFF);
    // Shown a moment later; SIGUSR2 tells when.
    if (result >= 0 && before) result = order(fd, VT_ACTIVATE, number);
    if (result < 0) tl_console_give_back(fd);
    return result;
}

void tl_console_give_back(int32_t fd) {
    struct vt_mode automatic = {.mode = VT_AUTO};
    tl_ioctl(fd, VT_SETMODE, &automatic);
    order(fd, KDSKBMODE, taken_keyboard);
    order(fd, KDSETMODE, KD_TEXT);
    disarm();
    show_before(fd);
}

int64_t tl_console_restore(int32_t fd, int32_t number, int32_t before) {
    if (tl_console_is_text(fd) != 0) return 0;
    taken_number = number;
    shown_before = before;
    taken_keyboard = K_UNICODE;
    tl_console_give_back(fd);
    return tl_console_is_text(fd) == 1 ? 1 : -EPERM;
}

int64_t tl_console_let_go(int32_t fd) { return order(fd, VT_RELDISP, 1); }
int64_t tl_console_taken(int32_t fd) { return order(fd, VT_RELDISP, VT_ACKACQ); }
int64_t tl_console_show(int32_t fd, int32_t number) { return order(fd, VT_ACTIVATE, number); }

static int open_signals(void) {
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR1);
    sigaddset(&wanted, SIGUSR2);
    if (pthread_sigmask(SIG_BLOCK, &wanted, NULL) != 0) return -1;
    return signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

int64_t tl_console_signals(void) { RETURN_CALL(signalfd, 0, open_signals()); }

#ifndef TALON_SCRIPT_H
#define TALON_SCRIPT_H
// What script.c, which keeps a script within its time and memory, and page.c, which makes the functions that a page may call, share.

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "CQuickJS.h"
#include "heap.h"
#include "quickjs.h"

/// The functions of a page that the host calls.
enum { FINISH, FAIL, FORGET, TURN, SCHEDULE, RESIZE, FUNCTION_COUNT };

struct tl_script {
    tl_heap heap;
    void *memory;
    size_t bytes, stack_bytes;
    tl_script_page page;
    void *page_context;
    JSRuntime *runtime;
    JSContext *context;
    JSValue functions[FUNCTION_COUNT];
    double answers[TL_SCRIPT_ANSWERS];
    /// When what runs has to end, on the monotonic clock in nanoseconds; and its part of it, in milliseconds.
    int64_t deadline, limit;
    atomic_bool must_stop;
    /// What runs has to end: its time is over, or it was stopped.
    bool is_over;
    /// The way out by force, and the timer that takes it.
    sigjmp_buf way_out;
    volatile sig_atomic_t is_running;
    timer_t timer;
    pid_t timer_thread;
};

/// Nanoseconds of the monotonic clock.
int64_t tl_script_now(void);

/// Gives what runs from now on so many milliseconds.
void tl_script_allow(tl_script *script, int64_t milliseconds);

/// What a turn or a program has left to do at once.
void tl_script_run_jobs(tl_script *script);

/// Frees a result that nobody looks at; when it is an error, also that. False: it was one.
bool tl_script_drop_value(JSContext *context, JSValue result);

/// Has the host answer a call of the page. Meanwhile the script is not left by force, for the host may hold locks.
void tl_script_ask_host(tl_script *script, const tl_script_call *call, tl_script_answer *answer);

/// The object with the page's functions, an exception without memory for it. `screen`: width, height and pixel ratio.
JSValue tl_script_make_page(tl_script *script, const double *screen);

#endif

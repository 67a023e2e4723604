// The life of a script: its context, and its end when its time or its memory is used up.

#include "script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    /// Milliseconds after the end of its time in which a script that does not look at the clock is left by force: one that is
    /// inside a function of the engine which goes over a billion elements.
    GRACE = 500,
    /// Bytes that are left when a heap is as good as full.
    FULL = 128 * 1024,
    /// Bytes of the smallest piece of memory whose lack a script may catch: of texts, arrays and pictures, and not of the engine's own.
    LARGE = 2 * 1024 * 1024,
    /// Why a script is left by force.
    OVERDUE = 1, NO_MEMORY, BROKEN
};

/// This thread is in code that may hold locks, and is not left by force.
static _Thread_local volatile sig_atomic_t is_away;
static _Thread_local volatile sig_atomic_t is_overdue;
/// The script that runs on this thread.
static _Thread_local tl_script *running;

int64_t tl_script_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// MARK: The end of a script's time

static void overdue(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    // Anybody of the same user may send the signal with any value: only the script of this thread is believed.
    tl_script *script = running;
    if (!script || info->si_value.sival_ptr != script || !script->is_running || script->timer_thread != (pid_t)syscall(SYS_gettid)) return;
    if (is_away) {
        is_overdue = 1;
        return;
    }
    siglongjmp(script->way_out, OVERDUE);
}

static void back(tl_script *script) {
    is_away = 0;
    if (is_overdue && script && script->is_running) siglongjmp(script->way_out, OVERDUE);
}

/// The engine's `abort`: it has found what cannot be, and nothing of the heap can be trusted.
void tl_script_abort(void) {
    if (running && running->is_running && !is_away) siglongjmp(running->way_out, BROKEN);
    abort();
}

/// The engine's `localtime_r`, which takes a lock.
struct tm *tl_script_local_time(const time_t *time, struct tm *result) {
    bool was_away = is_away;
    is_away = 1;
    localtime_r(time, result);
    // Whoever comes back from the page next looks whether it is overdue.
    is_away = was_away;
    return result;
}

static void set_timer(tl_script *script, int64_t milliseconds) {
    if (!script->timer_thread) return;
    // Again and again, should the script be away just then.
    struct itimerspec when = {
        .it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000},
        .it_interval = {.tv_nsec = GRACE * 1000000},
    };
    timer_settime(script->timer, 0, &when, NULL);
}

/// Aims the timer at this thread. Without one, scripts end only where they look at the clock.
static void aim(tl_script *script) {
    pid_t thread = (pid_t)syscall(SYS_gettid);
    if (script->timer_thread == thread) return;
    if (script->timer_thread) timer_delete(script->timer);
    script->timer_thread = 0;
    struct sigaction action = {.sa_sigaction = overdue, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    int number = SIGRTMIN + 3;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number, .sigev_value.sival_ptr = script};
    event._sigev_un._tid = thread;
    if (sigaction(number, &action, NULL) || timer_create(CLOCK_MONOTONIC, &event, &script->timer)) return;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    script->timer_thread = thread;
}

static int interrupted(JSRuntime *runtime, void *opaque) {
    (void)runtime;
    tl_script *script = opaque;
    if (atomic_load_explicit(&script->must_stop, memory_order_relaxed) || tl_script_now() >= script->deadline) script->is_over = true;
    return script->is_over;
}

void tl_script_allow(tl_script *script, int64_t milliseconds) {
    script->limit = milliseconds;
    script->deadline = tl_script_now() + milliseconds * 1000000;
    set_timer(script, milliseconds + GRACE);
}

// MARK: Memory

/// Leaves the script where there is no memory for something of the engine's own. It does not get out of all such places by itself: of
/// quickjs-ng 0.16, bytecode for which there was no room is taken apart as if it were whole, and atoms are freed that are none
/// (`free_bytecode_atoms`). What a script may ask for at once, and catch the lack of, is larger.
static void *or_leave(void *memory, size_t bytes) {
    if (!memory && bytes > 0 && bytes < LARGE && running && running->is_running && !is_away)
        siglongjmp(running->way_out, NO_MEMORY);
    return memory;
}

static void *heap_calloc(void *opaque, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    void *memory = or_leave(tl_heap_alloc(opaque, bytes), bytes);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

static void *heap_malloc(void *opaque, size_t size) { return or_leave(tl_heap_alloc(opaque, size), size); }
static void heap_free(void *opaque, void *memory) { tl_heap_free(opaque, memory); }
static void *heap_realloc(void *opaque, void *memory, size_t size) { return or_leave(tl_heap_realloc(opaque, memory, size), size); }

static const JSMallocFunctions heap_functions = {heap_calloc, heap_malloc, heap_free, heap_realloc, tl_heap_size};

// MARK: The page

void tl_script_ask_host(tl_script *script, const tl_script_call *call, tl_script_answer *answer) {
    is_away = 1;
    script->page(script->page_context, call, answer);
    back(script);
}

void tl_script_run_jobs(tl_script *script) {
    JSContext *context;
    while (!interrupted(script->runtime, script)) {
        int code = JS_ExecutePendingJob(script->runtime, &context);
        if (code == 0) return;
        // A job's own error is its promise's. This one is of the engine's.
        if (code < 0) JS_FreeValue(context, JS_GetException(context));
    }
    // What is left would go on for ever.
    script->is_over = script->is_over || JS_IsJobPending(script->runtime);
}

bool tl_script_drop_value(JSContext *context, JSValue result) {
    bool is_error = JS_IsException(result);
    JS_FreeValue(context, is_error ? JS_GetException(context) : result);
    return !is_error;
}

static JSModuleDef *no_module(JSContext *context, const char *name, void *opaque) {
    (void)opaque;
    JS_ThrowTypeError(context, "import of %s: modules are not available to scripts here", name);
    return NULL;
}

// MARK: Contexts

tl_script *tl_script_create(void *heap, int64_t heap_bytes, int64_t stack_bytes, tl_script_page page, void *context) {
    tl_script *script = calloc(1, sizeof *script);
    if (!script) return NULL;
    script->memory = heap;
    script->bytes = (size_t)heap_bytes;
    script->stack_bytes = (size_t)stack_bytes;
    script->page = page;
    script->page_context = context;
    return script;
}

void tl_script_destroy(tl_script *script) {
    if (script->timer_thread) timer_delete(script->timer);
    free(script);
}

void tl_script_refuse(tl_script *script, int64_t allocations) { script->heap.until_refused = allocations; }

bool tl_script_has_context(const tl_script *script) { return script->context; }

// Nothing outside of the heap belongs to a context: it is not taken apart, but forgotten.
void tl_script_drop(tl_script *script) {
    script->runtime = NULL;
    script->context = NULL;
    tl_heap_reset(&script->heap, script->memory, script->bytes);
    tl_heap_trim(&script->heap);
}

/// `body` within a time. -ETIMEDOUT when it was left by force for that, -ENOMEM for want of memory, -EFAULT when the engine gave up: then
/// there is no context any more.
static int32_t guarded(tl_script *script, int64_t milliseconds, int32_t (*body)(tl_script *, void *), void *arguments) {
    aim(script);
    is_away = 0;
    is_overdue = 0;
    script->is_over = false;
    running = script;
    int why = sigsetjmp(script->way_out, 1);
    if (why) {
        script->is_running = 0;
        running = NULL;
        is_away = 0;
        set_timer(script, 0);
        tl_script_drop(script);
        if (atomic_load(&script->must_stop)) return -ECANCELED;
        return why == NO_MEMORY ? -ENOMEM : why == BROKEN ? -EFAULT : -ETIMEDOUT;
    }
    script->is_running = 1;
    tl_script_allow(script, milliseconds);
    if (script->runtime) JS_UpdateStackTop(script->runtime);
    int32_t code = body(script, arguments);
    script->is_running = 0;
    running = NULL;
    set_timer(script, 0);
    return code;
}

/// Calls one of the page's functions whose result is nothing. False: it has not come to its end.
static bool call_page(tl_script *script, int function, int count, JSValue *values) {
    return tl_script_drop_value(script->context, JS_Call(script->context, script->functions[function], JS_UNDEFINED, count, (JSValueConst *)values));
}

/// What went wrong, in words that take no memory of the engine's.
static void report_failure(tl_script *script, const char *text) {
    double line = 0;
    tl_script_call call = {
        .what = TL_SCRIPT_FAILURE, .given = 2, .numbers = &line, .text = (const uint8_t *)text, .length = (int64_t)strlen(text)};
    tl_script_answer answer = {.numbers = script->answers};
    tl_script_ask_host(script, &call, &answer);
}

/// Without memory even for the words of an error.
static void report_full(tl_script *script) { report_failure(script, "InternalError: out of memory"); }

static int32_t over(tl_script *script) {
    if (!script->is_over) return 0;
    return atomic_load(&script->must_stop) ? -ECANCELED : -ETIMEDOUT;
}

static int32_t begin(tl_script *script, void *screen) {
    static const char *const names[] = {"finish", "fail", "forget", "turn", "schedule", "resize"};
    script->runtime = JS_NewRuntime2(&heap_functions, &script->heap);
    if (!script->runtime) return -ENOMEM;
    JS_SetMaxStackSize(script->runtime, script->stack_bytes);
    JS_UpdateStackTop(script->runtime);
    JS_SetInterruptHandler(script->runtime, interrupted, script);
    JS_SetModuleLoaderFunc(script->runtime, NULL, no_module, NULL);
    script->context = JS_NewContext(script->runtime);
    if (!script->context) return -ENOMEM;
    JS_SetContextOpaque(script->context, script);
    JSValue page = tl_script_make_page(script, screen);
    if (JS_IsException(page)) return -ENOMEM;
    for (int index = 0; index < FUNCTION_COUNT; index++)
        script->functions[index] = JS_GetPropertyStr(script->context, page, names[index]);
    return 0;
}

int32_t tl_script_begin(tl_script *script, double width, double height, double ratio) {
    double screen[] = {width, height, ratio};
    tl_script_drop(script);
    int32_t code = guarded(script, 2000, begin, screen);
    if (code < 0) tl_script_drop(script);
    return code;
}

// MARK: Running

typedef struct {
    const char *source;
    size_t count;
} tl_program;

/// A program that waits for something at its top is none, but may be meant: it is compiled anew, and its promise is of an object
/// around its value. Compiling runs nothing of a page, so none has a say in which of them it is.
static JSValue evaluate_program(tl_script *script, const tl_program *program, bool *is_wrapped) {
    JSContext *context = script->context;
    int flags = JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_COMPILE_ONLY;
    JSValue code = JS_Eval(context, program->source, program->count, "eval", flags);
    if (JS_IsException(code) && !script->is_over && memmem(program->source, program->count, "await", 5)) {
        JSValue error = JS_GetException(context);
        code = JS_Eval(context, program->source, program->count, "eval", flags | JS_EVAL_FLAG_ASYNC);
        *is_wrapped = !JS_IsException(code);
        if (!*is_wrapped) JS_FreeValue(context, JS_GetException(context));
        if (!*is_wrapped) return JS_Throw(context, error);
        JS_FreeValue(context, error);
    }
    return JS_IsException(code) ? code : JS_EvalFunction(context, code);
}

static int32_t evaluate(tl_script *script, void *program) {
    JSContext *context = script->context;
    bool is_wrapped = false;
    JSValue values[2] = {evaluate_program(script, program, &is_wrapped)};
    values[1] = JS_NewBool(context, is_wrapped);
    if (JS_IsException(values[0])) {
        values[0] = JS_GetException(context);
        // The engine throws null when it has no memory for an error.
        bool is_reported = !(JS_IsNull(values[0]) && script->bytes - script->heap.used < FULL) && call_page(script, FAIL, 1, values);
        if (!script->is_over && !is_reported) report_full(script);
    } else if (!call_page(script, FINISH, 2, values) && !script->is_over) {
        report_full(script);
    }
    JS_FreeValue(context, values[0]);
    tl_script_run_jobs(script);
    if (!script->is_over) call_page(script, SCHEDULE, 0, NULL);
    return over(script);
}

int32_t tl_script_evaluate(tl_script *script, const uint8_t *source, int64_t count, int64_t milliseconds) {
    tl_program program = {(const char *)source, (size_t)count};
    int32_t code = guarded(script, milliseconds, evaluate, &program);
    // It has failed, as one does that throws; what it left is gone.
    if (code == -ENOMEM) report_full(script);
    if (code == -EFAULT) report_failure(script, "InternalError: the script engine gave up");
    return code == -ENOMEM || code == -EFAULT ? 0 : code;
}

static int32_t turn(tl_script *script, void *draws_frame) {
    JSValue value = JS_NewBool(script->context, *(bool *)draws_frame);
    call_page(script, TURN, 1, &value);
    tl_script_run_jobs(script);
    if (!script->is_over) call_page(script, SCHEDULE, 0, NULL);
    return over(script);
}

int32_t tl_script_turn(tl_script *script, bool draws_frame, int64_t milliseconds) {
    if (!script->context) return -ECANCELED;
    return guarded(script, milliseconds, turn, &draws_frame);
}

static int32_t resize(tl_script *script, void *screen) {
    const double *sides = screen;
    JSValue values[3];
    for (int index = 0; index < 3; index++) values[index] = JS_NewFloat64(script->context, sides[index]);
    call_page(script, RESIZE, 3, values);
    tl_script_run_jobs(script);
    return over(script);
}

int32_t tl_script_resize(tl_script *script, double width, double height, double ratio) {
    double screen[] = {width, height, ratio};
    return script->context ? guarded(script, 1000, resize, screen) : 0;
}

static int32_t forget(tl_script *script, void *nothing) {
    (void)nothing;
    call_page(script, FORGET, 0, NULL);
    return 0;
}

void tl_script_forget(tl_script *script) {
    if (script->context) guarded(script, 1000, forget, NULL);
}

void tl_script_stop(tl_script *script) { atomic_store(&script->must_stop, true); }
void tl_script_go_on(tl_script *script) { atomic_store(&script->must_stop, false); }

static int32_t tidy(tl_script *script, void *nothing) {
    (void)nothing;
    JS_RunGC(script->runtime);
    tl_script_run_jobs(script);
    return over(script);
}

int64_t tl_script_tidy(tl_script *script) {
    int32_t code = script->context ? guarded(script, 1000, tidy, NULL) : 0;
    if (code < 0) return code;
    tl_heap_trim(&script->heap);
    return (int64_t)script->heap.used;
}

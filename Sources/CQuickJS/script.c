#include "CQuickJS.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "heap.h"
#include "quickjs.h"

/// One function, which makes the page.
static const char surface[] =
#include "surface.h"
#include "surface-canvas.h"
#include "surface-openclaw.h"
    ;

enum {
    FINISH, FAIL, FORGET, TURN, SCHEDULE, RESIZE, FUNCTION_COUNT,
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

/// This thread is in code that may hold locks, and is not left by force.
static _Thread_local volatile sig_atomic_t is_away;
static _Thread_local volatile sig_atomic_t is_overdue;
/// The script that runs on this thread.
static _Thread_local tl_script *running;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// MARK: The end of a script's time

static void overdue(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    tl_script *script = info->si_value.sival_ptr;
    if (!script || !script->is_running || script->timer_thread != (pid_t)syscall(SYS_gettid)) return;
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
    if (atomic_load_explicit(&script->must_stop, memory_order_relaxed) || now() >= script->deadline) script->is_over = true;
    return script->is_over;
}

static void allow(tl_script *script, int64_t milliseconds) {
    script->limit = milliseconds;
    script->deadline = now() + milliseconds * 1000000;
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

static const struct {
    const char *name;
    int8_t numbers;
} calls[] = {
#define TL_SCRIPT_ROW(CALL, name, numbers) {#name, numbers},
    TL_SCRIPT_CALLS(TL_SCRIPT_ROW)
#undef TL_SCRIPT_ROW
};

/// Arguments that a script may leave out.
static int required(int what) {
    switch (what) {
    case TL_SCRIPT_ARC: return 5;
    case TL_SCRIPT_ELLIPSE: return 7;
    case TL_SCRIPT_ROUND_RECT: return 4;
    case TL_SCRIPT_FILL_TEXT:
    case TL_SCRIPT_STROKE_TEXT: return 2;
    case TL_SCRIPT_SET:
    case TL_SCRIPT_DASHES: return 0;
    default: return calls[what].numbers;
    }
}

static JSValue value_of(JSContext *context, const tl_script_answer *answer) {
    switch (answer->kind) {
    case TL_SCRIPT_ERROR: {
        JSValue text = JS_NewStringLen(context, (const char *)answer->text, (size_t)answer->length);
        const char *message = JS_ToCString(context, text);
        JS_FreeValue(context, text);
        JSValue result = JS_ThrowTypeError(context, "%s", message ? message : "failed");
        JS_FreeCString(context, message);
        return result;
    }
    case TL_SCRIPT_TEXT: return JS_NewStringLen(context, (const char *)answer->text, (size_t)answer->length);
    case TL_SCRIPT_NUMBER: return JS_NewFloat64(context, answer->numbers[0]);
    case TL_SCRIPT_TRUTH: return JS_NewBool(context, answer->numbers[0] != 0);
    case TL_SCRIPT_LIST: {
        JSValue list = JS_NewArray(context);
        // Defined and not set: a page may have given arrays a setter for an index.
        for (int32_t index = 0; index < answer->count && !JS_IsException(list); index++)
            if (JS_DefinePropertyValueUint32(
                    context, list, (uint32_t)index, JS_NewFloat64(context, answer->numbers[index]), JS_PROP_C_W_E) < 0) {
                JS_FreeValue(context, list);
                return JS_EXCEPTION;
            }
        return list;
    }
    default: return JS_UNDEFINED;
    }
}

/// A call of the page: numbers, then texts. Whatever a script has to say to their making is said before the page is asked.
static JSValue ask(JSContext *context, JSValueConst this, int count, JSValueConst *values, int what) {
    (void)this;
    tl_script *script = JS_GetContextOpaque(context);
    double given[TL_SCRIPT_NUMBERS];
    int numbers = calls[what].numbers;
    tl_script_call call = {.what = what, .given = count < numbers ? count : numbers, .numbers = given};
    if (count < required(what))
        return JS_ThrowTypeError(context, "%s: %d arguments required, but only %d present", calls[what].name, required(what), count);
    for (int index = 0; index < TL_SCRIPT_NUMBERS; index++) given[index] = NAN;
    if (what == TL_SCRIPT_NOW) return JS_NewFloat64(context, (double)now() / 1e6);
    if (what == TL_SCRIPT_DASHES && count >= TL_SCRIPT_NUMBERS) return JS_ThrowRangeError(context, "setLineDash: more than 32 lengths");
    for (int index = 0; index < count && index < numbers; index++)
        if (JS_ToFloat64(context, &given[index], values[index])) return JS_EXCEPTION;
    const char *texts[2] = {NULL, NULL};
    size_t lengths[2] = {0, 0};
    for (int index = 0; index < 2 && numbers + index < count; index++) {
        texts[index] = JS_ToCStringLen(context, &lengths[index], values[numbers + index]);
        if (texts[index]) continue;
        JS_FreeCString(context, texts[0]);
        return JS_EXCEPTION;
    }
    call.text = (const uint8_t *)texts[0], call.length = (int64_t)lengths[0];
    call.text2 = (const uint8_t *)texts[1], call.length2 = (int64_t)lengths[1];
    tl_script_answer answer = {.numbers = script->answers};
    is_away = 1;
    script->page(script->page_context, &call, &answer);
    back(script);
    JS_FreeCString(context, texts[0]);
    JS_FreeCString(context, texts[1]);
    return value_of(context, &answer);
}

/// What a turn or a program has left to do at once.
static void run_jobs(tl_script *script) {
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

/// Frees a result that nobody looks at; when it is an error, also that.
static bool drop(JSContext *context, JSValue result) {
    bool is_error = JS_IsException(result);
    JS_FreeValue(context, is_error ? JS_GetException(context) : result);
    return !is_error;
}

static JSValue is_promise(JSContext *context, JSValueConst this, int count, JSValueConst *values) {
    (void)this;
    return JS_NewBool(context, count > 0 && JS_IsPromise(values[0]));
}

/// run(report, callback, ...values): a callback with time of its own.
static JSValue run(JSContext *context, JSValueConst this, int count, JSValueConst *values) {
    (void)this;
    tl_script *script = JS_GetContextOpaque(context);
    if (count < 2 || script->is_over) return JS_UNDEFINED;
    allow(script, script->limit);
    JSValue result = JS_Call(context, values[1], JS_UNDEFINED, count - 2, values + 2);
    if (JS_IsException(result)) {
        JSValue error = JS_GetException(context);
        if (!script->is_over) drop(context, JS_Call(context, values[0], JS_UNDEFINED, 1, (JSValueConst *)&error));
        JS_FreeValue(context, error);
    }
    run_jobs(script);
    return JS_IsException(result) ? JS_UNDEFINED : result;
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
    allow(script, milliseconds);
    if (script->runtime) JS_UpdateStackTop(script->runtime);
    int32_t code = body(script, arguments);
    script->is_running = 0;
    running = NULL;
    set_timer(script, 0);
    return code;
}

/// Calls one of the page's functions whose result is nothing. False: it has not come to its end.
static bool tell(tl_script *script, int function, int count, JSValue *values) {
    return drop(script->context, JS_Call(script->context, script->functions[function], JS_UNDEFINED, count, (JSValueConst *)values));
}

/// What went wrong, in words that take no memory of the engine's.
static void tell_failure(tl_script *script, const char *text) {
    double line = 0;
    tl_script_call call = {
        .what = TL_SCRIPT_FAILURE, .given = 2, .numbers = &line, .text = (const uint8_t *)text, .length = (int64_t)strlen(text)};
    tl_script_answer answer = {.numbers = script->answers};
    is_away = 1;
    script->page(script->page_context, &call, &answer);
    back(script);
}

/// Without memory even for the words of an error.
static void tell_full(tl_script *script) { tell_failure(script, "InternalError: out of memory"); }

static int32_t over(tl_script *script) {
    if (!script->is_over) return 0;
    return atomic_load(&script->must_stop) ? -ECANCELED : -ETIMEDOUT;
}

static JSValue make_page(tl_script *script, const double *screen) {
    JSContext *context = script->context;
    JSValue host = JS_NewObject(context);
    for (int what = 0; what < TL_SCRIPT_CALL_COUNT && !JS_IsException(host); what++) {
        JSValue function = JS_NewCFunctionMagic(context, ask, calls[what].name, required(what), JS_CFUNC_generic_magic, what);
        if (JS_SetPropertyStr(context, host, calls[what].name, function) < 0) return JS_EXCEPTION;
    }
    JSValue make = JS_Eval(context, surface, sizeof surface - 1, "page", JS_EVAL_TYPE_GLOBAL);
    JSValue values[] = {
        host, JS_NewCFunction(context, run, "run", 2), JS_NewCFunction(context, is_promise, "isPromise", 1),
        JS_NewFloat64(context, screen[0]), JS_NewFloat64(context, screen[1]), JS_NewFloat64(context, screen[2]),
    };
    enum { COUNT = sizeof values / sizeof values[0] };
    JSValue page = JS_IsException(make) ? JS_EXCEPTION : JS_Call(context, make, JS_UNDEFINED, COUNT, (JSValueConst *)values);
    for (int index = 0; index < COUNT; index++) JS_FreeValue(context, values[index]);
    JS_FreeValue(context, make);
    return page;
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
    JSValue page = make_page(script, screen);
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
        bool is_told = !(JS_IsNull(values[0]) && script->bytes - script->heap.used < FULL) && tell(script, FAIL, 1, values);
        if (!script->is_over && !is_told) tell_full(script);
    } else if (!tell(script, FINISH, 2, values) && !script->is_over) {
        tell_full(script);
    }
    JS_FreeValue(context, values[0]);
    run_jobs(script);
    if (!script->is_over) tell(script, SCHEDULE, 0, NULL);
    return over(script);
}

int32_t tl_script_evaluate(tl_script *script, const uint8_t *source, int64_t count, int64_t milliseconds) {
    tl_program program = {(const char *)source, (size_t)count};
    int32_t code = guarded(script, milliseconds, evaluate, &program);
    // It has failed, as one does that throws; what it left is gone.
    if (code == -ENOMEM) tell_full(script);
    if (code == -EFAULT) tell_failure(script, "InternalError: the script engine gave up");
    return code == -ENOMEM || code == -EFAULT ? 0 : code;
}

static int32_t turn(tl_script *script, void *draws_frame) {
    JSValue value = JS_NewBool(script->context, *(bool *)draws_frame);
    tell(script, TURN, 1, &value);
    run_jobs(script);
    if (!script->is_over) tell(script, SCHEDULE, 0, NULL);
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
    tell(script, RESIZE, 3, values);
    run_jobs(script);
    return over(script);
}

int32_t tl_script_resize(tl_script *script, double width, double height, double ratio) {
    double screen[] = {width, height, ratio};
    return script->context ? guarded(script, 1000, resize, screen) : 0;
}

static int32_t forget(tl_script *script, void *nothing) {
    (void)nothing;
    tell(script, FORGET, 0, NULL);
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
    run_jobs(script);
    return over(script);
}

int64_t tl_script_tidy(tl_script *script) {
    int32_t code = script->context ? guarded(script, 1000, tidy, NULL) : 0;
    if (code < 0) return code;
    tl_heap_trim(&script->heap);
    return (int64_t)script->heap.used;
}

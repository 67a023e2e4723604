// JavaScript by QuickJS-ng, in memory of its own and with limits, and what scripts see of the page (surface*.h). Results are
// zero or more, or a negated errno, as in tl_calls.h.

#ifndef CQUICKJS_H
#define CQUICKJS_H

#include <stdbool.h>
#include <stdint.h>

/// What scripts ask of the page: a name in surface*.h, and how many arguments are numbers; texts follow them. One that is not
/// given is NAN, or an empty text. Numbers are whatever a script makes them: NAN, infinite, huge, negative, with a fraction.
#define TL_SCRIPT_CALLS(X)                                                                                          \
    X(LOG, log, 1) X(RESULT, result, 0) X(FAILURE, failure, 1) X(SCHEDULE, schedule, 2) X(NOW, now, 0)              \
    X(TITLE, title, 0) X(PUSH, push, 0) X(RESET, reset, 0) X(SURFACES, surfaces, 0) X(ACTION, action, 0)            \
    X(STATUS, status, 1) X(HOME, home, 0) X(SIZE, size, 2) X(IMAGE, image, 0) X(DROP_IMAGE, dropImage, 1)           \
    X(SAVE, save, 0) X(RESTORE, restore, 0) X(TRANSLATE, translate, 2) X(ROTATE, rotate, 1) X(SCALE, scale, 2)      \
    X(TRANSFORM, transform, 6) X(SET_TRANSFORM, setTransform, 6) X(RESET_TRANSFORM, resetTransform, 0)              \
    X(GET_TRANSFORM, getTransform, 0) X(BEGIN_PATH, beginPath, 0) X(CLOSE_PATH, closePath, 0) X(MOVE_TO, moveTo, 2) \
    X(LINE_TO, lineTo, 2) X(QUADRATIC_TO, quadraticCurveTo, 4) X(BEZIER_TO, bezierCurveTo, 6) X(ARC, arc, 6)        \
    X(ARC_TO, arcTo, 5) X(ELLIPSE, ellipse, 8) X(RECT, rect, 4) X(ROUND_RECT, roundRect, 12) X(FILL, fill, 1)       \
    X(STROKE, stroke, 0) X(CLIP, clip, 1) X(IN_PATH, isPointInPath, 3) X(CLEAR_RECT, clearRect, 4)                   \
    X(FILL_RECT, fillRect, 4) X(STROKE_RECT, strokeRect, 4)                             \
    X(DRAW_IMAGE, drawImage, 9) X(FILL_TEXT, fillText, 3) X(STROKE_TEXT, strokeText, 3)                             \
    X(MEASURE_TEXT, measureText, 0) X(SET, set, 2) X(GET, get, 1) X(SET_STYLE, setStyle, 2) X(DASHES, dashes, 33)   \
    X(GET_DASHES, getDashes, 0) X(LINEAR, linearGradient, 4) X(RADIAL, radialGradient, 6)                           \
    X(ADD_STOP, addStop, 2) X(DROP_GRADIENT, dropGradient, 1)

enum {
#define TL_SCRIPT_CALL(CALL, name, numbers) TL_SCRIPT_##CALL,
    TL_SCRIPT_CALLS(TL_SCRIPT_CALL)
#undef TL_SCRIPT_CALL
    TL_SCRIPT_CALL_COUNT
};

/// What SET and GET name: a property of the 2D context.
enum {
    TL_SCRIPT_FILL_STYLE,
    TL_SCRIPT_STROKE_STYLE,
    TL_SCRIPT_LINE_WIDTH,
    TL_SCRIPT_MITER_LIMIT,
    TL_SCRIPT_GLOBAL_ALPHA,
    TL_SCRIPT_DASH_OFFSET,
    TL_SCRIPT_SMOOTHING,
    TL_SCRIPT_LINE_CAP,
    TL_SCRIPT_LINE_JOIN,
    TL_SCRIPT_OPERATION,
    TL_SCRIPT_TEXT_ALIGN,
    TL_SCRIPT_TEXT_BASELINE,
    TL_SCRIPT_FONT
};

enum { TL_SCRIPT_NUMBERS = 33, TL_SCRIPT_ANSWERS = 33 };

typedef struct {
    /// TL_SCRIPT_…
    int32_t what;
    /// How many of its numbers the script gave.
    int32_t given;
    /// TL_SCRIPT_NUMBERS of them.
    const double *numbers;
    const uint8_t *text, *text2;
    int64_t length, length2;
} tl_script_call;

enum { TL_SCRIPT_ERROR = -1, TL_SCRIPT_NOTHING, TL_SCRIPT_TEXT, TL_SCRIPT_NUMBER, TL_SCRIPT_TRUTH, TL_SCRIPT_LIST };

/// What the page answers: an error's text, nothing, a text, a number, a truth, or `count` numbers. Texts stay valid until the next call.
typedef struct {
    int32_t kind;
    int32_t count;
    /// Room for TL_SCRIPT_ANSWERS.
    double *numbers;
    const uint8_t *text;
    int64_t length;
} tl_script_answer;

typedef void (*tl_script_page)(void *page, const tl_script_call *call, tl_script_answer *answer);

typedef struct tl_script tl_script;

/// An engine without a context. `heap` is all the memory that scripts get; it is the engine's until `tl_script_destroy`.
/// NULL: no memory. All calls but `tl_script_stop` come from one thread at a time.
tl_script *tl_script_create(void *heap, int64_t heap_bytes, int64_t stack_bytes, tl_script_page page, void *context);
void tl_script_destroy(tl_script *script);

/// A new context: width, height and pixels per unit of the screen. -ENOMEM: the heap is too small.
int32_t tl_script_begin(tl_script *script, double width, double height, double ratio);
/// Throws the context away, and gives its memory back.
void tl_script_drop(tl_script *script);
bool tl_script_has_context(const tl_script *script);
/// For tests: of the allocations that follow the one by this number, from 1 on, is refused; 0: none.
void tl_script_refuse(tl_script *script, int64_t allocations);

/// Runs a program of UTF-8 text and what it leaves to do at once, for `milliseconds` at most. What comes of it is told by the calls
/// RESULT or FAILURE, now or in a later turn. -ETIMEDOUT: it was ended; -ECANCELED: stopped. `source[count]` is 0. Where the engine has no
/// memory for its own needs, or gives up, that is its FAILURE, and there is no context any more.
int32_t tl_script_evaluate(tl_script *script, const uint8_t *source, int64_t count, int64_t milliseconds);
/// Runs timers that are due, and what waits for the next frame; each of them for `milliseconds` at most.
int32_t tl_script_turn(tl_script *script, bool draws_frame, int64_t milliseconds);
/// The screen is another, and listeners are told. -ETIMEDOUT: one took longer than a second.
int32_t tl_script_resize(tl_script *script, double width, double height, double ratio);
/// Nobody waits any more for the evaluation that is open: what becomes of it is not told.
void tl_script_forget(tl_script *script);

/// Ends what runs, and whatever is begun before `tl_script_go_on`. From any thread.
void tl_script_stop(tl_script *script);
void tl_script_go_on(tl_script *script);

/// Collects garbage, tells whoever registered for it, and gives memory that is free back. The bytes in use; -ETIMEDOUT: who was told took
/// longer than a second.
int64_t tl_script_tidy(tl_script *script);

#endif

// The functions that the host gives to a page: what they take from a script, and what they return to it.

#include "script.h"

#include <math.h>

/// One function, which makes the page.
static const char surface[] =
#include "surface.h"
#include "surface-canvas.h"
#include "surface-openclaw.h"
    ;

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
    if (what == TL_SCRIPT_NOW) return JS_NewFloat64(context, (double)tl_script_now() / 1e6);
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
    tl_script_ask_host(script, &call, &answer);
    JS_FreeCString(context, texts[0]);
    JS_FreeCString(context, texts[1]);
    return value_of(context, &answer);
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
    tl_script_allow(script, script->limit);
    JSValue result = JS_Call(context, values[1], JS_UNDEFINED, count - 2, values + 2);
    if (JS_IsException(result)) {
        JSValue error = JS_GetException(context);
        if (!script->is_over) tl_script_drop_value(context, JS_Call(context, values[0], JS_UNDEFINED, 1, (JSValueConst *)&error));
        JS_FreeValue(context, error);
    }
    tl_script_run_jobs(script);
    return JS_IsException(result) ? JS_UNDEFINED : result;
}

JSValue tl_script_make_page(tl_script *script, const double *screen) {
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

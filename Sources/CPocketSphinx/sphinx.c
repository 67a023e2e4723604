#include "CPocketSphinx.h"

#include <pocketsphinx.h>
#include <sphinxbase/err.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

// What it does is of no interest; what it cannot do is.
static void complain(void *user, err_lvl_t level, const char *format, ...) {
    char line[512];
    va_list values;
    (void)user;
    if (level < ERR_ERROR) return;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    if (length <= 0) return;
    if (length >= (int)sizeof line) {
        length = sizeof line - 1;
        line[length - 1] = '\n';
    }
    // Not through a buffer, for it may be the last thing that the process does.
    if (write(STDERR_FILENO, line, (size_t)length) < 0) return;
}

tl_sphinx *tl_sphinx_open(const char *acoustic, const char *language, const char *dictionary) {
    // Without a file there is no list of all settings, either.
    err_set_logfp(NULL);
    err_set_callback(complain, NULL);
    cmd_ln_t *settings = cmd_ln_init(
        NULL, ps_args(), FALSE, "-hmm", acoustic, "-lm", language, "-dict", dictionary, NULL);
    if (!settings) return NULL;
    ps_decoder_t *decoder = ps_init(settings);
    cmd_ln_free_r(settings);
    return decoder;
}

// Silence, noise, and the ends of the sentence.
static int is_filler(const char *word) { return !word || *word == '<' || *word == '[' || *word == '+'; }

static float expected_share(ps_decoder_t *decoder) {
    double sum = 0;
    int words = 0;
    logmath_t *logarithms = ps_get_logmath(decoder);
    // The posteriors of the words come with that of the sentence.
    ps_get_prob(decoder);
    for (ps_seg_t *segment = ps_seg_iter(decoder); segment; segment = ps_seg_next(segment)) {
        int32 acoustic, language, backoff;
        if (is_filler(ps_seg_word(segment))) continue;
        sum += logmath_exp(logarithms, ps_seg_prob(segment, &acoustic, &language, &backoff));
        words++;
    }
    return words ? (float)(sum / words) : 0;
}

const char *tl_sphinx_decode(tl_sphinx *decoder, const int16_t *samples, int32_t count, float *confidence) {
    *confidence = 0;
    // All of it at once: its mean is taken off before it is searched.
    if (ps_start_utt(decoder) < 0 || ps_process_raw(decoder, samples, (size_t)count, FALSE, TRUE) < 0 || ps_end_utt(decoder) < 0)
        return NULL;
    int32 score;
    const char *text = ps_get_hyp(decoder, &score);
    if (!text || !*text) return "";
    *confidence = expected_share(decoder);
    return text;
}

void tl_sphinx_close(tl_sphinx *decoder) { ps_free(decoder); }

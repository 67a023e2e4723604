#include "CFlite.h"
#include "constants.h"

#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cst_audio.h>
#include <cst_cg.h>
#include <cst_synth.h>
#include <cst_utt_utils.h>
#include <cst_voice.h>
#include <lang/cmulex/cmu_lex.h>
#include <lang/usenglish/usenglish.h>

extern cst_cg_db cmu_us_slt_cg_db;

// MARK: What flite finds in place of its own (cst_alloc.c, cst_error.c, au_streaming.c)

// flite ends the program where it has no memory and leaves behind what it held where something else fails. So its memory is counted
// and bounded here, and of a sentence that failed all of it is given back.
typedef struct block {
    struct block *previous, *next;
    size_t size;
    size_t padding;
} block;

static block held = {&held, &held, 0, 0};
static size_t held_bytes;
static size_t most_bytes = SIZE_MAX;
static jmp_buf failed;
static int failure;

jmp_buf *cst_errjmp = &failed;

int cst_errmsg(const char *format, ...) { return 0; }

static void give_up(int reason) {
    failure = reason;
    longjmp(failed, 1);
}

static void link_block(block *found, size_t size) {
    found->size = size;
    found->previous = held.previous;
    found->next = &held;
    held.previous->next = found;
    held.previous = found;
    held_bytes += size;
}

static void unlink_block(block *found) {
    found->previous->next = found->next;
    found->next->previous = found->previous;
    held_bytes -= found->size;
}

static bool fits(size_t size, size_t instead_of) {
    return size <= most_bytes && held_bytes - instead_of <= most_bytes - size;
}

void *cst_safe_alloc(int size) {
    const size_t wanted = size > 0 ? (size_t)size : 1;
    if (size < 0 || !fits(wanted, 0)) give_up(TL_SPEECH_NO_MEMORY);
    block *fresh = calloc(1, sizeof *fresh + wanted);
    if (fresh == NULL) give_up(TL_SPEECH_NO_MEMORY);
    link_block(fresh, wanted);
    return fresh + 1;
}

void *cst_safe_calloc(int size) { return cst_safe_alloc(size); }

void *cst_safe_realloc(void *old, int size) {
    if (old == NULL) return cst_safe_alloc(size);
    block *found = (block *)old - 1;
    const size_t wanted = size > 0 ? (size_t)size : 1;
    if (size < 0 || !fits(wanted, found->size)) give_up(TL_SPEECH_NO_MEMORY);
    const size_t before = found->size;
    unlink_block(found);
    block *fresh = realloc(found, sizeof *fresh + wanted);
    if (fresh == NULL) {
        link_block(found, before);
        give_up(TL_SPEECH_NO_MEMORY);
    }
    link_block(fresh, wanted);
    return fresh + 1;
}

void cst_free(void *old) {
    if (old == NULL) return;
    block *found = (block *)old - 1;
    unlink_block(found);
    free(found);
}

void delete_audio_streaming_info(cst_audio_streaming_info *streaming) { cst_free(streaming); }

// No sentence asks for files of the network, or of a voice.
int cst_urlp(const char *name) { return 0; }
cst_file cst_url_open(const char *name) { return NULL; }
int flite_munmap_clunit_voxdata(cst_voice *from) { return 0; }

CST_VAL_REGISTER_TYPE(audio_streaming_info, cst_audio_streaming_info)

// MARK: Sentences

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cst_voice *voice;
// The sentence that is made, and how many samples of it there are.
static const tl_speech *current;
static int64_t made;

// flite hands over what it has, every few milliseconds of sound.
static int take(const cst_wave *wave, int start, int count, int is_last, cst_audio_streaming_info *info) {
    if (current->cancelled != NULL && __atomic_load_n(current->cancelled, __ATOMIC_RELAXED) != 0) {
        failure = TL_SPEECH_CANCELLED;
        return CST_AUDIO_STREAM_STOP;
    }
    const int64_t room = current->capacity - made;
    const int64_t taken = count < room ? count : room;
    memcpy(current->samples + made, wave->samples + start, (size_t)taken * sizeof *current->samples);
    made += taken;
    return made < current->capacity ? CST_AUDIO_STREAM_CONT : CST_AUDIO_STREAM_STOP;
}

// As register_cmu_us_slt does it, and what it says comes to us.
static void prepare_voice(void) {
    if (voice != NULL) return;
    cst_voice *fresh = new_voice();
    usenglish_init(fresh);
    cst_lexicon *words = cmu_lex_init();
    feat_set(fresh->features, "lexicon", lexicon_val(words));
    feat_set(fresh->features, "postlex_func", uttfunc_val(words->postlex));
    feat_set_string(fresh->features, "no_segment_duration_model", "1");
    feat_set_string(fresh->features, "no_f0_target_model", "1");
    feat_set(fresh->features, "wave_synth_func", uttfunc_val(cg_synth));
    feat_set(fresh->features, "cg_db", cg_db_val(&cmu_us_slt_cg_db));
    feat_set_int(fresh->features, "sample_rate", cmu_us_slt_cg_db.sample_rate);
    cst_audio_streaming_info *streaming = cst_alloc(cst_audio_streaming_info, 1);
    streaming->min_buffsize = 256;
    streaming->asc = take;
    feat_set(fresh->features, "streaming_info", audio_streaming_info_val(streaming));
    voice = fresh;
}

// What was in the middle of something has to go, and the voice with it: the next sentence makes it anew.
static void abandon(void) {
    while (held.next != &held) cst_free(held.next + 1);
    voice = NULL;
}

int64_t tl_speech_make(const tl_speech *speech, int64_t most) {
    pthread_mutex_lock(&lock);
    current = speech;
    made = 0;
    failure = 0;
    most_bytes = (size_t)most;
    if (!tl_constants_restore()) {
        failure = TL_SPEECH_NO_MEMORY;
    } else if (setjmp(failed) == 0) {
        prepare_voice();
        feat_set_float(voice->features, "duration_stretch", speech->stretch);
        feat_set_float(voice->features, "f0_shift", speech->pitch);
        cst_utterance *sentence = new_utterance();
        utt_set_input_text(sentence, speech->text);
        utt_init(sentence, voice);
        if (utt_synth(sentence) == NULL) give_up(TL_SPEECH_FAILED);
        delete_utterance(sentence);
    } else {
        if (failure == 0) failure = TL_SPEECH_FAILED;
        abandon();
    }
    const int64_t result = failure == 0 ? made : failure;
    // Megabytes in small pieces, which the heap would keep until the next sentence.
    malloc_trim(0);
    tl_constants_release();
    pthread_mutex_unlock(&lock);
    return result;
}

void tl_speech_cancel(int32_t *cancelled, int32_t value) { __atomic_store_n(cancelled, value, __ATOMIC_RELAXED); }

int32_t tl_speech_rate(void) { return cmu_us_slt_cg_db.sample_rate; }

int64_t tl_speech_memory(void) {
    pthread_mutex_lock(&lock);
    const int64_t result = (int64_t)held_bytes;
    pthread_mutex_unlock(&lock);
    return result;
}

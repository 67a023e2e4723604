// A voice that needs no network, by flite 2.2: the text of a sentence becomes samples.

#ifndef CFLITE_H
#define CFLITE_H

#include <stdint.h>

/// A sentence, and how it is to be said.
typedef struct {
    /// Zero-terminated, in printable ASCII.
    const char *text;
    /// Times as long as the voice would take by itself.
    float stretch;
    /// Times as high.
    float pitch;
    /// Where it goes, and how many samples there is room for; what is longer is cut.
    int16_t *samples;
    int64_t capacity;
    /// Set with `tl_speech_cancel` when nobody wants to hear it any more. NULL: somebody will.
    const int32_t *cancelled;
} tl_speech;

/// Why there is no sentence.
enum {
    /// There is no memory, or it needs more than it may.
    TL_SPEECH_NO_MEMORY = -1,
    TL_SPEECH_CANCELLED = -2,
    /// flite gave up on it.
    TL_SPEECH_FAILED = -3,
};

/// Samples a second.
int32_t tl_speech_rate(void);

/// Says a sentence with at most `most` bytes of memory; how many samples it has, or less than 0. Takes the calling thread's time; a second
/// thread waits for the first.
int64_t tl_speech_make(const tl_speech *speech, int64_t most);

/// Sets or clears the mark of a sentence, on any thread.
void tl_speech_cancel(int32_t *cancelled, int32_t value);

/// Bytes that flite holds on to, between sentences those of the voice itself.
int64_t tl_speech_memory(void);

#endif

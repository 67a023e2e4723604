// pocketsphinx behind four functions: its settings are variadic, which Swift does not call, and its log goes to standard error
// unless it is told otherwise.

#ifndef CPOCKETSPHINX_H
#define CPOCKETSPHINX_H

#include <stdint.h>

typedef struct ps_decoder_s tl_sphinx;

/// Loads a model: the folder of the acoustic model, the language model, the dictionary. Null when it will not; why was said on
/// standard error, a line beginning with ERROR or FATAL. A damaged model may end the process: the library exits where it gives up,
/// and trusts what it reads. For a process of its own.
tl_sphinx *tl_sphinx_open(const char *acoustic, const char *language, const char *dictionary);

/// Understands an utterance of 16 kHz, 16 bits, one channel. Answers its words, which live until the next call, or null when the
/// decoder failed. `confidence` is the share of them that it expects to be right, 0 to 1: the mean of their posterior probabilities
/// in the lattice; 0 without words.
const char *tl_sphinx_decode(tl_sphinx *decoder, const int16_t *samples, int32_t count, float *confidence);

void tl_sphinx_close(tl_sphinx *decoder);

#endif

// What the wake-phrase detector has built in: the weights of the speech embedding, which `board/prepare` converted, and the vectors of
// likely phrases, which `talon-lab enrol` made.

#ifndef CVOICEMODEL_H
#define CVOICEMODEL_H

#include <stdint.h>

/// The speech embedding as board/lib/embedding.py lays it out, and how many bytes there are. Aligned for vector loads.
const uint8_t *tl_voice_embedding(int64_t *count);

/// Phrase files one behind the other (Sources/Voice/PhraseFile.swift), and how many bytes there are.
const uint8_t *tl_voice_phrases(int64_t *count);

#endif

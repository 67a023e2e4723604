// What the wake-phrase detector has built in: the weights of the speech embedding, which `board/prepare` converted, the vectors of
// likely phrases, which `talon-lab enrol` made, and a bank of speech, which `talon-lab bank` made.

#ifndef CVOICEMODEL_H
#define CVOICEMODEL_H

#include <stdint.h>

/// The speech embedding as board/lib/embedding.py lays it out, and how many bytes there are. Aligned for vector loads.
const uint8_t *tl_voice_embedding(int64_t *count);

/// Phrase files one after the other (Sources/Voice/PhraseFile.swift), and how many bytes there are.
const uint8_t *tl_voice_phrases(int64_t *count);

/// A bank of real speech (Sources/Enrolment/SpeechBank.swift), which phrases are told from when they are enrolled on the board, and how
/// many bytes there are.
const uint8_t *tl_voice_speech(int64_t *count);

#endif

#include "CVoiceModel.h"

// TALON_VOICE: the folder that `board/prepare` leaves the weights in. TALON_PHRASES: the folder of the built-in phrases.
// SwiftPM does not see that these files change: touch this one when they did.
// The header of the weights has 64 bytes, so the floats after it are aligned as it is.
#define BYTES(name, file)                                                                                   \
    __asm__(".section .rodata.talon_voice,\"a\",%progbits\n"                                                 \
            ".balign 64\n"                                                                                   \
            ".global " #name "\n" #name ":\n"                                                                \
            ".incbin \"" file "\"\n"                                                                         \
            ".global " #name "_end\n" #name "_end:\n"                                                        \
            ".byte 0\n"                                                                                      \
            ".text\n");                                                                                      \
    extern const uint8_t name[], name##_end[];

BYTES(tl_voice_weights, TALON_VOICE "/embedding.bin")
BYTES(tl_voice_bank, TALON_PHRASES "/phrases.bin")
BYTES(tl_voice_recordings, TALON_PHRASES "/speech.bin")

const uint8_t *tl_voice_embedding(int64_t *count) {
    *count = tl_voice_weights_end - tl_voice_weights;
    return tl_voice_weights;
}

const uint8_t *tl_voice_phrases(int64_t *count) {
    *count = tl_voice_bank_end - tl_voice_bank;
    return tl_voice_bank;
}

const uint8_t *tl_voice_speech(int64_t *count) {
    *count = tl_voice_recordings_end - tl_voice_recordings;
    return tl_voice_recordings;
}

// Talk: speech from a microphone to the gateway, and back to a speaker (node-commands 6 and 7).
//
// Nothing here opens a device, sends a byte or reads a clock: sound, text and time go in, sound, text and decisions
// come out. Sound inside is 16 kHz, one channel, 16 bits.
//
//   Hearing   detection of speech, utterances, sample rates
//   Words     wake phrases, voice directives, the spoken text of a reply, routes of commands
//   Sounding  the gateway's speech, jitter buffer, tones
//   Devices   protocols of microphone, speaker, recognizer and voice
//   Loop      the state machine of node-commands 7

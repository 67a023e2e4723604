// Talk: what happens between a microphone and the gateway, and back to a speaker (node-commands 6 and 7).
//
// Nothing here opens a device, sends a byte or reads a clock: sound, text and time go in, sound, text and decisions come out.
// Sound inside is 16 kHz, one channel, 16 bits.
//
//   Hearing   what is speech and what is noise; an utterance from its start to its end; other rates and codes of sound
//   Words     wake phrases, directives, what of a reply is spoken, where a command goes
//   Sounding  what the gateway sends as speech, sound that comes in pieces, tones
//   Devices   what a microphone, a speaker, a recogniser and a voice have to do
//   Loop      who has the microphone and what is done with what it heard: the state machine of node-commands 7

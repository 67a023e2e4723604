// Sound: what comes from a microphone and goes to a speaker, between a card and the rooms that listen and speak.
//
// A card has any rate, number of channels and form of sample. `SoundIntake` makes blocks of 20 ms out of what it captures: 16 kHz,
// one channel, 16 bits; `SoundOutlet` makes what a card plays out of what somebody says. On the way in stand a meter of levels, which
// also tells a dead microphone, a gain and, where one is wanted, a denoiser. Nothing here knows ALSA: cards are `SoundCapture` and
// `SoundPlayback`, real or simulated, and what changes rates is a `Resampler`.
//
// Times are milliseconds of the monotonic clock. Levels are parts of full scale, from 0 to 1.

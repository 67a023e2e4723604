// Sound: samples from a microphone and to a speaker, between a sound card and the parts that use them.
//
// A card may have any rate, number of channels and sample format. `SoundIntake` converts captured frames to blocks of
// 20 ms at 16 kHz, one channel, 16 bits; `SoundOutlet` converts samples to a card's frames. The input passes a level
// meter, which also detects a dead microphone, a gain and optionally a denoiser. Nothing here knows ALSA: cards are
// `SoundCapture` and `SoundPlayback`, real or simulated, and rates are converted by a `Resampler`.
//
// Times are milliseconds of the monotonic clock. Levels are fractions of full scale, 0 to 1.

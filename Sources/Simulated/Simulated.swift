// Simulated: the protocols that Board implements with hardware, without hardware. Cameras read folders of pictures,
// receivers and motion sensors replay recordings, microphones and speakers use WAV files, displays and lights keep
// their state in memory, and a loopback gateway answers in the same process.
//
// For boards without hardware, for tests and for demonstrations: configured by `driver = simulated`.
// Like Board, nothing here knows the Agent module.

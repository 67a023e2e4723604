// Board: the drivers of a Linux board. They implement the protocols of the modules below with V4L2, ALSA, DRM, evdev,
// GPIO, I2C, IIO, serial ports, gpsd, sockets, OpenSSL, c-ares, pocketsphinx and the files of /proc and /sys.
//
// Calls of the kernel and of C libraries are translated here into values and errors of those modules. Nothing here
// knows the gateway's commands, the configuration file or the Agent module: `Sources/talon/Running/Wiring.swift` puts
// the agent and these drivers together. Paths of devices have a `root` in front of them, which tests set.

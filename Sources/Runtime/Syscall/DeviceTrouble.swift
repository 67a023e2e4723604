/// An interface through which Talon uses devices.
public enum DeviceInterface: CaseIterable, Sendable {
  /// Video4Linux.
  case camera
  /// ALSA.
  case sound
  /// DRM and frame buffers.
  case display
  /// GPIO lines, and PWM.
  case line
  /// Chips on I2C, and sensors of the kernel's drivers.
  case chip
  /// Serial ports, of the board or on USB.
  case serial
  /// Lights: LEDs of /sys/class/leds, and GPIO lines.
  case light
  /// The socket of gpsd.
  case gpsd
  /// Touch screens, keyboards, mice and scanners: /dev/input.
  case input
}

/// What an errno of a device means for its owner: a sentence about the device and the next step. The kernel's own words
/// are written for programmers: ENOSPC of a webcam is "no space left on device", and means that USB is too slow.
///
/// The meanings are those of the kernel's documentation: userspace-api/media "Generic Error Codes", usb/error-codes,
/// sound/designs, gpu/drm-uapi "Recommended IOCTL Return Values", userspace-api/gpio, i2c/fault-codes, termios(3),
/// input/input, and for gpsd connect(2), send(2) and recv(2).
public struct DeviceTrouble: Sendable {
  /// What is wrong, as the rest of a sentence after "camera failed: ".
  public let text: StaticString
  /// What a person at the board can do.
  public let step: StaticString
  private let cause: Cause

  /// The meaning of `reason`, with which the kernel refused a call on a device of `interface`.
  public init(_ reason: Errno, of interface: DeviceInterface) {
    cause = Cause(reason, interface)
    text = Self.text(cause, interface)
    step = Self.step(cause, interface)
  }

  /// True when the board has too little memory for what was asked.
  public var isOfMemory: Bool { cause == .memory }

  /// True when it is more than the bus carries in time.
  public var isOfBandwidth: Bool { cause == .bandwidth }

  /// Writes both, with a semicolon between them.
  public func write(_ put: (StaticString) -> Void) {
    put(text)
    put("; ")
    put(step)
  }

  /// What errnos have in common, by what to do next.
  private enum Cause {
    case absent, gone, inUse, forbidden, bandwidth, silent, damaged, memory, files, unsupported, refused, asleep, ended
    case notReady, defect, unknown

    init(_ reason: Errno, _ interface: DeviceInterface) {
      self =
        switch reason.number {
        // ENOENT, ENOTDIR; ECONNREFUSED
        case 2, 20, 111: .absent
        // ENXIO of a chip is an address that nobody acknowledges, and so is EREMOTEIO.
        case 6, 121: interface == .chip ? .silent : .gone
        // EIO of a chip is noise, or no answer; of other devices they are no longer there.
        case 5: interface == .chip ? .silent : .gone
        // EHOSTUNREACH of a device is one that is suspended.
        case 113: interface == .gpsd ? .silent : .asleep
        // EADDRNOTAVAIL, ENETDOWN, ENETUNREACH, EHOSTDOWN
        case 99, 100, 101, 112: .silent
        // ENODEV, ESHUTDOWN, EUNATCH
        case 19, 108, 49: .gone
        // EBUSY, ETXTBSY, EUSERS
        case 16, 26, 87: .inUse
        // EPERM, EACCES, EROFS
        case 1, 13, 30: .forbidden
        // ENOSPC; EXDEV and EFBIG of USB: more than the bus carries in time.
        case 28, 18, 27:
          switch interface {
          case .display, .line: .memory
          case .light, .gpsd: .unknown
          default: .bandwidth
          }
        // ETIME, ETIMEDOUT, ENODATA
        case 62, 110, 61: .silent
        // ECOMM, EPROTO, EBADMSG, EOVERFLOW, EILSEQ, ENOSR
        case 70, 71, 74, 75, 84, 63: .damaged
        // ENOMEM, ENOBUFS
        case 12, 105: .memory
        // ENFILE, EMFILE
        case 23, 24: .files
        // ENOTTY, ENOSYS, EOPNOTSUPP, EPROTONOSUPPORT, EAFNOSUPPORT, and ENOTSUPP and ENOIOCTLCMD, which some drivers
        // let out
        case 25, 38, 95, 93, 97, 524, 515: .unsupported
        // E2BIG, EINVAL, EDOM, ERANGE, EMSGSIZE, ENOEXEC, EEXIST
        case 7, 22, 33, 34, 90, 8, 17: .refused
        // ESTRPIPE: suspended
        case 86: .asleep
        // EPIPE, ENOLINK, EBADFD, ECONNABORTED, ECONNRESET, ENOTCONN, ECANCELED
        case 32, 67, 77, 103, 104, 107, 125: .ended
        // EINTR, EAGAIN, EDEADLK, EINPROGRESS, EALREADY, ERESTARTSYS, EPROBE_DEFER
        case 4, 11, 35, 115, 114, 512, 517: .notReady
        // EBADF, EFAULT
        case 9, 14: .defect
        default: .unknown
        }
    }
  }

  private static func text(_ cause: Cause, _ interface: DeviceInterface) -> StaticString {
    switch (cause, interface) {
    case (.absent, .line): "this line, or its chip, is not there"
    case (.absent, .gpsd): "gpsd does not run, or not at this address"
    case (.absent, _): "it is not there"
    case (.gone, .line): "its chip is no longer there"
    case (.gone, _): "it is no longer there"
    case (.inUse, .line): "another program or driver uses the line"
    case (.inUse, .chip), (.inUse, .light): "another program or driver uses it"
    case (.inUse, _): "another program uses it"
    case (.forbidden, _): "this user may not use it"
    case (.bandwidth, .camera): "the USB bus is too slow for pictures of this size"
    case (.bandwidth, _): "the USB bus is too busy for it"
    case (.silent, .chip): "the chip does not answer"
    case (.silent, _): "it does not answer"
    case (.damaged, _): "what it sends arrives damaged"
    case (.memory, .display): "the board has no memory for a picture of this size"
    case (.memory, _): "the board has too little free memory"
    case (.files, _): "too many files are open on this board"
    case (.unsupported, .gpsd): "this board cannot connect to such an address"
    case (.unsupported, _): "its driver cannot do this"
    case (.refused, .camera): "it does not accept this size, format or setting"
    case (.refused, .sound): "it does not accept this rate or format of samples"
    case (.refused, .display): "it does not accept this mode or format"
    case (.refused, .line): "it does not accept this line number or setting"
    case (.refused, .chip): "its bus does not accept this transfer"
    case (.refused, .serial): "it does not accept this speed or setting"
    case (.refused, .light): "it does not accept this brightness, color or line"
    case (.refused, .gpsd): "its address is not accepted"
    case (.refused, .input): "it does not accept this setting"
    case (.asleep, _): "it is suspended"
    case (.ended, .camera): "its stream has ended"
    case (.ended, _): "its connection has ended"
    case (.notReady, _): "it is not ready yet"
    case (.defect, _): "its driver and Talon do not understand each other"
    case (.unknown, _): "its driver gives a reason that Talon does not know"
    }
  }

  private static func step(_ cause: Cause, _ interface: DeviceInterface) -> StaticString {
    switch (cause, interface) {
    case (.absent, .camera), (.gone, .camera), (.ended, .camera):
      "check its cable and power, and look for it with talon camera list"
    case (.absent, .display), (.gone, .display), (.ended, .display), (.silent, .display):
      "check the display's cable and power; config.txt must have its overlay"
    case (.absent, .line), (.gone, .line), (.ended, .line), (.silent, .line):
      "compare chip and line in the configuration with gpioinfo"
    case (.absent, .chip): "enable the bus in config.txt (dtparam=i2c_arm=on) and compare it with the configuration"
    case (.silent, .chip), (.gone, .chip), (.damaged, .chip), (.ended, .chip):
      "check its four wires, its power and its address; i2cdetect shows what answers"
    case (.absent, .light), (.gone, .light), (.ended, .light), (.silent, .light):
      "compare its name or line in the configuration with ls /sys/class/leds or gpioinfo"
    case (.absent, .gpsd), (.gone, .gpsd), (.ended, .gpsd), (.silent, .gpsd), (.refused, .gpsd),
      (.unsupported, .gpsd):
      "look at systemctl status gpsd, and compare its address with the configuration"
    case (.absent, .serial), (.gone, .serial), (.ended, .serial):
      "plug it in, or compare the device in the configuration with ls /dev/serial/by-id"
    case (.absent, _), (.gone, _), (.ended, _), (.silent, _):
      "check its cable and power, or unplug it and plug it in again"
    case (.inUse, .line): "gpioinfo shows who has it; stop that program, or remove its overlay from config.txt"
    case (.inUse, .light): "gpioinfo shows who has a line; stop that program, or remove its overlay from config.txt"
    case (.inUse, .chip): "remove the chip's overlay from config.txt, or use the kernel's driver"
    case (.inUse, .serial): "stop that program; a console on the port is switched off with raspi-config"
    case (.inUse, _): "stop the other program; fuser shows which one it is"
    case (.forbidden, .camera), (.forbidden, .display): "add the user that runs Talon to the group video"
    case (.forbidden, .sound): "add the user that runs Talon to the group audio"
    case (.forbidden, .line): "add the user that runs Talon to the group gpio"
    case (.forbidden, .chip): "add the user that runs Talon to the group i2c"
    case (.forbidden, .serial): "add the user that runs Talon to the group dialout"
    case (.forbidden, .light): "add the user that runs Talon to the groups gpio and video, and install its udev rules"
    case (.forbidden, .input): "add the user that runs Talon to the group input"
    case (.forbidden, .gpsd): "allow the user that runs Talon to connect to gpsd"
    case (.bandwidth, .camera): "ask for a smaller picture, or plug the camera into a USB port of its own"
    case (.bandwidth, _): "plug it into a USB port of its own, without a hub"
    case (.damaged, .serial): "check the wires, and the speed of the line in the configuration"
    case (.damaged, _): "try another cable or USB port, and a stronger power supply"
    case (.memory, .camera), (.memory, .display): "choose a smaller picture, or raise cma= in cmdline.txt"
    case (.memory, _), (.files, _): "stop other programs, or restart the board"
    case (.unsupported, .camera), (.refused, .camera): "talon camera modes shows what it offers; choose another size"
    case (.unsupported, .sound), (.refused, .sound): "choose another device of talon doctor in the configuration"
    case (.unsupported, .input), (.refused, .input):
      "name another device in the configuration; talon screen input shows what there is"
    case (.unsupported, .serial), (.refused, .serial): "set another speed in the configuration"
    case (.unsupported, _), (.refused, _): "compare the configuration with the wiring; talon doctor checks both"
    case (.asleep, _): "wake the board, or switch off USB autosuspend for this device"
    case (.notReady, _): "try again in some seconds"
    case (.defect, _), (.unknown, _): "restart the board; if it stays, report it with the kernel's log (dmesg)"
    }
  }
}

import Glibc
import Runtime
import Testing

/// Every errno of a device has a sentence about the device and a next step.
struct DeviceTroubleTests {
  /// The errnos that the kernel documents for each interface, see `DeviceTrouble`.
  private static let documented: [(DeviceInterface, [Int32])] = [
    // userspace-api/media "Generic Error Codes" and the pages of the ioctls, usb/error-codes, mmap(2), open(2)
    (
      .camera,
      [
        1, 2, 4, 5, 6, 8, 9, 11, 12, 13, 14, 16, 18, 19, 22, 23, 24, 25, 27, 28, 32, 34, 38, 61, 62, 63, 67, 70, 71, 75,
        77, 84, 90, 95, 104, 108, 110, 113, 115, 121,
      ]
    ),
    // sound/designs, alsa-lib's snd_pcm_*, usb/error-codes
    (
      .sound,
      [
        1, 2, 4, 5, 6, 9, 11, 12, 13, 14, 16, 19, 22, 23, 24, 25, 28, 32, 34, 38, 61, 62, 71, 75, 77, 84, 86, 90, 95,
        104, 108, 110, 113, 121,
      ]
    ),
    // gpu/drm-uapi "Recommended IOCTL Return Values", drm-mm, fb/api
    (
      .display,
      [
        1, 2, 4, 5, 6, 7, 9, 11, 12, 13, 14, 16, 19, 22, 23, 24, 25, 28, 32, 34, 35, 38, 62, 75, 84, 95, 108, 110, 121,
        125,
      ]
    ),
    // userspace-api/gpio, driver-api/gpio, pwm
    (
      .line, [1, 2, 4, 5, 6, 9, 11, 12, 13, 14, 16, 17, 19, 22, 23, 24, 25, 30, 34, 38, 61, 75, 95, 110, 121, 517, 524]
    ),
    // i2c/fault-codes, i2c/dev-interface, iio
    (
      .chip,
      [
        1, 2, 4, 5, 6, 9, 11, 12, 13, 14, 16, 19, 22, 23, 24, 25, 32, 34, 38, 61, 62, 71, 74, 75, 84, 90, 95, 104, 108,
        110, 121, 125, 517, 524,
      ]
    ),
    // termios(3), ioctl_tty(2), usb/error-codes
    (
      .serial,
      [
        1, 2, 4, 5, 6, 9, 11, 12, 13, 14, 16, 19, 22, 23, 24, 25, 26, 28, 32, 34, 38, 62, 71, 75, 77, 84, 95, 104, 108,
        110, 113, 121,
      ]
    ),
    // leds-class, userspace-api/gpio
    (
      .light, [1, 2, 4, 5, 6, 9, 11, 12, 13, 14, 16, 17, 19, 20, 22, 23, 24, 25, 30, 34, 38, 61, 75, 95, 110, 121, 517]
    ),
    // connect(2), send(2), recv(2)
    (
      .gpsd,
      [
        1, 4, 9, 11, 12, 13, 14, 22, 23, 24, 32, 93, 97, 99, 100, 101, 103, 104, 105, 107, 110, 111, 112, 113, 114, 115,
      ]
    ),
    // input/input, open(2), ioctl(2), usb/error-codes
    (.input, [1, 2, 4, 5, 6, 9, 11, 12, 13, 14, 16, 19, 20, 22, 23, 24, 25, 34, 38, 71, 75, 84, 95, 108, 110, 121]),
  ]

  @Test("every documented errno of a device has a meaning of its own and a next step", arguments: 0..<9)
  func documented(index: Int) {
    let (interface, numbers) = Self.documented[index]
    let unknown = DeviceTrouble(Errno(9999), of: interface)
    for number in numbers {
      let trouble = DeviceTrouble(Errno(number), of: interface)
      #expect("\(trouble.text)" != "\(unknown.text)", "\(interface) \(number)")
      #expect(!"\(trouble.step)".isEmpty, "\(interface) \(number)")
    }
  }

  @Test("no errno is told in the kernel's words, is silent, or is longer than a log line has room for")
  func words() {
    let kernel = Set((1...133).map { "\(Errno(Int32($0)).text)" })
    for interface in DeviceInterface.allCases {
      for number: Int32 in 0...600 {
        let trouble = DeviceTrouble(Errno(number), of: interface)
        let (text, step) = ("\(trouble.text)", "\(trouble.step)")
        #expect(!kernel.contains(text) && !text.isEmpty && !step.isEmpty)
        #expect(text.utf8.count + step.utf8.count <= 180, "\(interface) \(number)")
      }
    }
  }

  /// ENOENT, EPERM, EACCES, EIO, ENXIO, ENOMEM, EBUSY, ENODEV, EINVAL, ENOTTY, ENOSPC, EPIPE, EPROTO, EOVERFLOW,
  /// ETIMEDOUT, EREMOTEIO
  private static let common: [Int32] = [2, 1, 13, 5, 6, 12, 16, 19, 22, 25, 28, 32, 71, 75, 110, 121]

  @Test("what any device may answer has a meaning for each, with none of the C library's words in it")
  func libraryWords() {
    // The first is "Success"; a word alone may stand in a sentence.
    let library = (1...133).map { String(cString: strerror($0)).lowercased() }.filter { $0.contains(" ") }
    #expect(library.contains("no space left on device") && library.contains("inappropriate ioctl for device"))
    for interface in DeviceInterface.allCases where interface != .gpsd && interface != .light {
      let unknown = DeviceTrouble(Errno(9999), of: interface)
      for number in Self.common {
        let trouble = DeviceTrouble(Errno(number), of: interface)
        let sentence = "\(trouble.text); \(trouble.step)".lowercased()
        #expect("\(trouble.text)" != "\(unknown.text)", "\(interface) \(number)")
        #expect(!library.contains { sentence.contains($0) }, "\(interface) \(number): \(sentence)")
      }
    }
  }

  @Test("a step fits its device: no camera's for a chip, no cable for a permission")
  func steps() {
    func step(_ number: Int32, _ interface: DeviceInterface) -> String {
      "\(DeviceTrouble(Errno(number), of: interface).step)"
    }
    #expect(step(28, .camera).contains("smaller picture"))
    #expect(step(13, .sound).contains("group audio") && step(13, .serial).contains("group dialout"))
    #expect(step(13, .input).contains("group input") && !step(28, .line).contains("USB"))
    #expect(step(16, .line).contains("gpioinfo") && step(121, .chip).contains("i2cdetect"))
    for number: Int32 in [99, 100, 101, 104, 107, 110, 111, 112, 113] {
      #expect(step(number, .gpsd).contains("systemctl status gpsd"), "\(number)")
    }
    for number: Int32 in [2, 5, 6, 19, 20] { #expect(step(number, .light).contains("/sys/class/leds"), "\(number)") }
    for interface in DeviceInterface.allCases where interface != .camera {
      for number: Int32 in 1...133 { #expect(!step(number, interface).contains("camera")) }
    }
  }
}

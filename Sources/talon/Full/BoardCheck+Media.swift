import Board
import Canvas
import Device
import Graphics
import Node
import Runtime
import Sound
import Talk

/// Checks that a lean build does not have: sound, and decoding of pictures.
extension BoardCheck {
  func microphone() -> Finding {
    let sound = configuration.sound
    if sound.microphoneDriver == .simulated { return Finding("microphone", .good, "it is simulated") }
    do throws(SoundError) {
      try ALSACards.look(sound.microphone.order, captures: true)
      return Finding("microphone", .good, "it is there")
    } catch {
      var bytes = [UInt8](repeating: 0, count: Budget.logLineBytes)
      let count = bytes.withUnsafeMutableBufferPointer { buffer in
        var line = LogLine(buffer)
        error.write(to: &line)
        return line.count
      }
      return limits.finding(.microphone, .failure, String(decoding: bytes[..<count], as: UTF8.self))
    }
  }

  /// The model of the board's own recognizer; nothing without a configured one.
  func recognizer() -> [Finding] {
    let folder = configuration.talk.recognizer
    guard !folder.isEmpty, configuration.talk.settings.isEnabled else { return [] }
    do throws(SphinxModelError) {
      let megabytes = try SphinxModel(folder: folder).bytes >> 20
      return [Finding("recogniser", .good, "its model is there, \(megabytes) MB")]
    } catch {
      return [
        Finding(
          "recogniser", .failure, error.text,
          remedy: "install the model, as apt-get install pocketsphinx-en-us, or correct [talk] recogniser")
      ]
    }
  }

  /// Whether untrusted content is decoded as it should be, in a confined process. Tried with a picture of one pixel.
  func decoder() -> [Finding] {
    if case .none = configuration.canvas.screen.output { return [] }
    let pixel: [UInt8] = [
      0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0,
      1, 0, 0, 2, 2, 0x44, 1, 0,
      0x3B,
    ]
    if let fault = decode(pixel) {
      return [Finding("decoder", .failure, "no picture from elsewhere can be shown: \(fault)")]
    }
    if Confinement.hasFilter {
      return [Finding("decoder", .good, "pictures and scripts from elsewhere have processes of their own")]
    }
    return [
      Finding(
        "decoder", .warning,
        "this kernel cannot filter what the processes for pictures and scripts from elsewhere ask of it",
        remedy: "a kernel with CONFIG_SECCOMP_FILTER")
    ]
  }

  private func decode(_ bytes: [UInt8]) -> String? {
    do throws(PictureFault) {
      let picture = try bytes.withUnsafeBufferPointer { (bytes) throws(PictureFault) in
        try PictureProcess().decode(bytes, .picture(.gif), PictureLimit(wanted: Size(1, 1)))
      }
      return picture == nil ? "it is none" : nil
    } catch {
      let text = error.text
      return text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
  }
}

import Camera
import Codec
import Device
import Node
import Runtime

/// Photos for people and programs at the board.
extension CameraCommands {
  /// Takes a photo for a person at the board, to the file with this absolute path, or to none when it is empty. The
  /// delegate gets the end.
  public func snap(
    _ parameters: SnapParameters, to path: UnsafeBufferPointer<UInt8>, _ delegate: any BoardSnapDelegate
  ) throws(CameraError) {
    guard policy.isEnabled else { throw .disabled }
    guard !isHeld, boardSnap.delegate == nil, !boardSnap.isPending else { throw .busy }
    do throws(Errno) { try boardSnap.aim(at: path) } catch { throw .io(error) }
    boardSnap.delegate = delegate
    do throws(CameraError) {
      try add(.board, .photo(parameters), clock.monotonic + Self.boardTimeout)
    } catch {
      boardSnap.delegate = nil
      throw error
    }
  }

  /// Timeout of such a photo in milliseconds.
  private static let boardTimeout: Int64 = 30_000

  /// The caller of the photo has disconnected; the photo is written anyway.
  public func forgetSnap() { boardSnap.delegate = nil }

  func write(_ photo: Photo) {
    journal.learn(nil, after: stream)
    current = nil
    boardSnap.take(photo)
    if runner.submit(boardSnap) { return }
    boardSnap.fail(.busy)
    done()
  }

  /// The photo's memory is free again.
  func snapWritten() { done() }
}

/// The state of the hardware for `device.health`.
extension CameraCommands {
  var hardware: HardwareState {
    guard policy.isEnabled else {
      return HardwareState(.absent, detail: "switched off in the configuration", isPermitted: false)
    }
    return switch journal.finding {
    case .present: HardwareState(.ok, detail: isOpen ? "in use" : nil)
    case .failing(.noDevice), .failing(.disconnected): HardwareState(.absent, detail: "no camera found")
    case .failing(let error): HardwareState(.error, detail: error.wire.text)
    case .unknown: HardwareState(.absent, detail: "not looked for yet")
    }
  }
}

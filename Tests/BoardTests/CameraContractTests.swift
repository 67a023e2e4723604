import Camera
import Foundation
import Runtime
import Simulated
import Testing

@testable import Board

/// What every camera must do, asked of the simulated one and, where there is one, of the board's own.
@Suite(.serialized)
struct CameraContractTests {
  enum Kind: CaseIterable {
    case folder, kernel

    static var present: [Kind] {
      allCases.filter { $0 == .folder || FileManager.default.fileExists(atPath: "/dev/video0") }
    }
  }

  private let clock = SystemClock()
  private let folder: CameraFolder

  init() throws {
    folder = try CameraFolder()
    for (index, width) in [64, 128, 96].enumerated() {
      try folder.write(CameraPictures.bars(width, 48), as: "\(index).jpg")
    }
  }

  private func device(_ kind: Kind) throws -> any CameraDevice {
    switch kind {
    case .folder: try FolderCamera(folder: folder.path, clock: clock)
    case .kernel: SourceDevice(V4L2Camera(roster: CameraRoster(), clock: clock), clock: clock)
    }
  }

  private func request(
    _ device: CameraText? = nil, patience: Int64 = 10_000, cancellation: Cancellation = Cancellation()
  ) -> CaptureRequest {
    CaptureRequest(
      device: device, width: 320, warmUp: 0, deadline: clock.monotonic + patience, cancellation: cancellation)
  }

  /// Why a capture fails.
  private func failure(_ device: any CameraDevice, _ request: CaptureRequest, _ verdict: FrameVerdict)
    -> String?
  {
    do throws(CameraError) {
      try device.capture(request) { _ in verdict }
      return nil
    } catch {
      return String(describing: error).split(separator: "(").first.map(String.init)
    }
  }

  @Test("it lists cameras with id and name, and replaces what the list held", arguments: Kind.present)
  func list(kind: Kind) throws {
    let device = try device(kind)
    var list = CameraList()
    while !list.isFull {
      list.append(CameraEntry(id: CameraText(cutting: "stale"), name: CameraText(cutting: "stale")))
    }
    try device.enumerate(into: &list)
    #expect((1..<Budget.cameras).contains(list.count))
    for index in 0..<list.count {
      #expect(!list[index].id.isEmpty && !list[index].name.isEmpty)
      #expect(list[index].id != CameraText(cutting: "stale"))
    }
  }

  @Test(
    "it captures from the first camera, and from each by its id, again and again", arguments: Kind.present)
  func capture(kind: Kind) throws {
    let device = try device(kind)
    var list = CameraList()
    try device.enumerate(into: &list)
    for id in [nil] + (0..<list.count).map({ list[$0].id }) + [nil] {
      var frames = 0
      try device.capture(request(id)) { frame in
        frames += frame.bytes.isEmpty ? 0 : 1
        return .done
      }
      #expect(frames == 1)
    }
  }

  @Test("it offers frame after frame until one is taken", arguments: Kind.present)
  func next(kind: Kind) throws {
    var frames = 0
    try device(kind).capture(request()) { _ in
      frames += 1
      return frames < 3 ? .next : .done
    }
    #expect(frames == 3)
  }

  @Test("an id that no camera has is refused", arguments: Kind.present)
  func unknown(kind: Kind) throws {
    #expect(
      try failure(device(kind), request(CameraText(cutting: "/dev/video255")), .done) == "unknownDevice")
  }

  @Test("a deadline that has passed ends it before a frame", arguments: Kind.present)
  func deadline(kind: Kind) throws {
    #expect(try failure(device(kind), request(patience: 0), .done) == "timeout")
  }

  @Test("a cancelled capture ends as cancelled", arguments: Kind.present)
  func cancelled(kind: Kind) throws {
    let cancellation = Cancellation()
    cancellation.request()
    #expect(try failure(device(kind), request(cancellation: cancellation), .next) == "cancelled")
  }
}

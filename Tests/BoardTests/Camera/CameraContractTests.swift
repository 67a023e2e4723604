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

  private func source(_ kind: Kind) throws -> any CameraSource {
    switch kind {
    case .folder: try FolderCamera(folder: folder.path, clock: clock)
    case .kernel: V4L2Camera(cameraSettings: CameraSettingsTable(), clock: clock)
    }
  }

  private func order(_ device: CameraText? = nil, _ purpose: StreamOrder.Purpose = .photo) -> StreamOrder {
    StreamOrder(device: device, purpose: purpose, width: 320)
  }

  /// The next frame's bytes, waiting for as long as cameras take.
  private func frame(_ source: any CameraSource) throws -> Int {
    for _ in 0..<200 {
      if let frame = try source.next(within: 50) { return frame.bytes.count }
    }
    throw CameraError.stalled
  }

  @Test("it lists cameras with id and name, and replaces what the list held", arguments: Kind.present)
  func list(kind: Kind) throws {
    let source = try source(kind)
    var list = CameraList()
    while !list.isFull {
      list.append(CameraEntry(id: CameraText(cutting: "stale"), name: CameraText(cutting: "stale")))
    }
    try source.enumerate(into: &list)
    #expect((1..<Budget.cameras).contains(list.count))
    for index in 0..<list.count {
      #expect(!list[index].id.isEmpty && !list[index].name.isEmpty)
      #expect(list[index].id != CameraText(cutting: "stale"))
    }
  }

  @Test("it streams from the first camera, and from each by its id, again and again", arguments: Kind.present)
  func stream(kind: Kind) throws {
    let source = try source(kind)
    var list = CameraList()
    try source.enumerate(into: &list)
    for id in [nil] + (0..<list.count).map({ list[$0].id }) + [nil] {
      for purpose in [StreamOrder.Purpose.photo, .clip] {
        let facts = try source.start(order(id, purpose))
        #expect(id == nil || facts.camera.id == id)
        #expect(try frame(source) > 0)
        source.stop()
      }
    }
  }

  @Test("frames have times that go on, in microseconds of the clock", arguments: Kind.present)
  func times(kind: Kind) throws {
    let source = try source(kind)
    defer { source.stop() }
    _ = try source.start(order())
    var last = clock.monotonic * 1000 - 10_000_000
    var frames = 0
    while frames < 3 {
      guard let frame = try source.next(within: 50) else { continue }
      frames += 1
      #expect(frame.time > last && frame.time < (clock.monotonic + 1000) * 1000)
      last = frame.time
    }
  }

  @Test("a stream that was started again begins anew; without one there are no frames", arguments: Kind.present)
  func restart(kind: Kind) throws {
    let source = try source(kind)
    source.stop()
    #expect(throws: CameraError.self) { _ = try source.next(within: 0) }
    for _ in 0..<3 {
      _ = try source.start(order())
      #expect(try frame(source) > 0)
      source.stop()
      source.stop()
    }
  }

  @Test("an id that no camera has is refused", arguments: Kind.present)
  func unknown(kind: Kind) throws {
    let source = try source(kind)
    let id = CameraText(cutting: "/dev/video255")
    for body in [{ _ = try source.start(order(id)) }, { _ = try source.axes(of: id) }] as [() throws -> Void] {
      #expect {
        try body()
      } throws: { error in
        if case CameraError.unknownDevice(id) = error { true } else { false }
      }
    }
  }
}

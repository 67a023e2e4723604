import CLinux
import Canvas
import Foundation
import Graphics
import Runtime

@testable import Board

/// A card of the kernel's mode setting and a frame buffer that exist in tests alone, after files of a folder: what is
/// drawn is in the files. Calls of the thread that made it go there until it is deallocated.
final class FakeScreen {
  static let size = Size(64, 40)
  static let stride = 300
  /// Of one buffer: whole pages.
  static let bytes = 12_288

  let tree = ReadingsTree()
  /// DRM_MODE_CONNECTOR_*: 11 is HDMI, 15 virtual, 19 SPI.
  var connectorType: UInt32 = 11
  /// Of each connector whether it has a display: 1 yes, 2 no, 3 the kernel does not know.
  var connections: [UInt32: UInt32] = [20: 1]
  /// The connector that the CRTC drives.
  private(set) var driven: UInt32 = 0
  /// What refuses, by the request's number, and why.
  var refusals: [UInt64: Int32] = [:]
  /// Requests with these numbers refuse so often, then no more.
  var passing: [UInt64: (times: Int, reason: Int32)] = [:]
  private(set) var requests: [UInt64] = []
  private(set) var handles: Set<UInt32> = []
  private(set) var buffers: Set<UInt32> = []
  private var formats: [UInt32: UInt32] = [:]
  private var next: UInt32 = 1
  /// The frame buffer that the CRTC shows; 7 is the console's.
  private(set) var shown: UInt32 = 7
  private(set) var clips: [Rect] = []
  private(set) var openFiles = 0
  /// The call that is refused, by its place among all.
  var refusedCall: Int?
  private(set) var calls = 0
  /// Of the frame buffer.
  var visual: UInt32 = 2
  var virtualHeight: UInt32 = 40
  private(set) var top: UInt32 = 0
  private(set) var isBlank = false

  init() {
    for path in ["/dev/dri/card0", "/dev/fb0"] { tree.write(path, String(repeating: "\0", count: 4 * Self.bytes)) }
    tl_interpose_device(
      { context, _, request, argument in
        Unmanaged<FakeScreen>.fromOpaque(context!).takeUnretainedValue().answer(request, argument)
      }, Unmanaged.passUnretained(self).toOpaque())
    tl_interpose_thread(
      { context, call, _ in Unmanaged<FakeScreen>.fromOpaque(context!).takeUnretainedValue().decide(call) },
      Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    tl_interpose_device(nil, nil)
    tl_interpose_thread(nil, nil)
  }

  private func decide(_ call: Int32) -> Int32 {
    defer { calls += 1 }
    if call == Int32(TL_CALL_close.rawValue) { openFiles -= 1 }
    if refusedCall == calls { return EIO }
    if call == Int32(TL_CALL_open.rawValue) { openFiles += 1 }
    return 0
  }

  func count() {
    calls = 0
    requests = []
    clips = []
  }

  /// Forgets memory that a refused call left: that is the kernel's, and goes with the file.
  func forget() {
    handles = []
    buffers = []
    shown = 7
  }

  /// Pixels of what is shown, of the card's memory. Each buffer has its part of the file.
  func pixel(_ x: Int, _ y: Int) -> UInt32 {
    let data = FileManager.default.contents(atPath: tree.root + "/dev/dri/card0")!
    let place = Int(shown - 100) % 4 * Self.bytes + y * Self.stride + x * 4
    return (0..<4).reduce(0) { $0 | UInt32(data[place + $1]) << (8 * UInt32($1)) }
  }

  func frameBuffer(_ x: Int, _ y: Int) -> UInt16 {
    let data = FileManager.default.contents(atPath: tree.root + "/dev/fb0")!
    let place = (y + Int(top)) * Self.stride + x * 2
    return UInt16(data[place]) | UInt16(data[place + 1]) << 8
  }

  private func refuse(_ reason: Int32) -> Int32 {
    errno = reason
    return -1
  }

  private func answer(_ request: UInt64, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    let number = request & 0xFFFF
    requests.append(number)
    if let reason = refusals[number] { return refuse(reason) }
    if let entry = passing[number], entry.times > 0 {
      passing[number] = (entry.times - 1, entry.reason)
      return refuse(entry.reason)
    }
    if number == 0x4611 {
      isBlank = argument != nil
      return 0
    }
    guard let memory = argument else { return 0 }
    switch number {
    case 0x640C: memory.storeBytes(of: 1, toByteOffset: 8, as: UInt64.self)
    case 0x64A0:
      list(memory, [(8, 36, 30)])
      listConnectors(memory)
    case 0x64A6:
      memory.storeBytes(of: 0, toByteOffset: 8, as: UInt32.self)
      memory.storeBytes(of: 1, toByteOffset: 12, as: UInt32.self)
    case 0x64A7: connector(memory)
    case 0x64A1:
      memory.storeBytes(of: shown, toByteOffset: 16, as: UInt32.self)
      memory.storeBytes(of: 1, toByteOffset: 32, as: UInt32.self)
    case 0x64A2:
      shown = memory.load(fromByteOffset: 16, as: UInt32.self)
      let connectors = memory.load(as: UInt64.self)
      if let place = UnsafeRawPointer(bitPattern: UInt(connectors)) { driven = place.load(as: UInt32.self) }
    case 0x64B9: properties(memory)
    case 0x64AA:
      for (index, byte) in "DPMS".utf8.enumerated() {
        memory.storeBytes(of: byte, toByteOffset: 24 + index, as: UInt8.self)
      }
    case 0x64AB: isBlank = memory.load(as: UInt64.self) == 3
    case 0x64B2: return createDumb(memory)
    case 0x64B3:
      let handle = memory.load(as: UInt32.self)
      memory.storeBytes(of: UInt64(handle % 4) * UInt64(Self.bytes), toByteOffset: 8, as: UInt64.self)
    case 0x64B4: handles.remove(memory.load(as: UInt32.self))
    case 0x64B8:
      let id = 100 + memory.load(fromByteOffset: 20, as: UInt32.self)
      buffers.insert(id)
      formats[id] = memory.load(fromByteOffset: 12, as: UInt32.self)
      memory.storeBytes(of: id, as: UInt32.self)
    case 0x64AF: buffers.remove(memory.load(as: UInt32.self))
    case 0x64B0:
      // As the kernel does while nothing is scanned out.
      if isBlank { return refuse(EINVAL) }
      shown = memory.load(fromByteOffset: 4, as: UInt32.self)
    case 0x64B1: dirty(memory)
    case 0x4600: screen(memory)
    case 0x4602: fixed(memory)
    case 0x4606: top = memory.load(fromByteOffset: 20, as: UInt32.self)
    default: return refuse(ENOTTY)
    }
    return 0
  }

  /// Lists of one object each: where its pointer and its count are, and its number.
  private func list(_ memory: UnsafeMutableRawPointer, _ objects: [(pointer: Int, count: Int, id: UInt32)]) {
    for object in objects {
      let address = memory.load(fromByteOffset: object.pointer, as: UInt64.self)
      if memory.load(fromByteOffset: object.count, as: UInt32.self) > 0,
        let place = UnsafeMutableRawPointer(bitPattern: UInt(address))
      {
        place.storeBytes(of: object.id, as: UInt32.self)
      }
      memory.storeBytes(of: 1, toByteOffset: object.count, as: UInt32.self)
    }
  }

  private func listConnectors(_ memory: UnsafeMutableRawPointer) {
    let ids = connections.keys.sorted()
    let address = memory.load(fromByteOffset: 16, as: UInt64.self)
    if memory.load(fromByteOffset: 40, as: UInt32.self) >= UInt32(ids.count),
      let place = UnsafeMutableRawPointer(bitPattern: UInt(address))
    {
      for (index, id) in ids.enumerated() { place.storeBytes(of: id, toByteOffset: 4 * index, as: UInt32.self) }
    }
    memory.storeBytes(of: UInt32(ids.count), toByteOffset: 40, as: UInt32.self)
  }

  private func connector(_ memory: UnsafeMutableRawPointer) {
    let connection = connections[memory.load(fromByteOffset: 48, as: UInt32.self)] ?? 2
    list(memory, [(0, 40, 40)])
    let address = memory.load(fromByteOffset: 8, as: UInt64.self)
    if memory.load(fromByteOffset: 32, as: UInt32.self) > 0,
      let mode = UnsafeMutableRawPointer(bitPattern: UInt(address))
    {
      for (offset, value) in [(4, 64), (10, 100), (14, 40), (20, 50)] {
        mode.storeBytes(of: UInt16(value), toByteOffset: offset, as: UInt16.self)
      }
      mode.storeBytes(of: 300, as: UInt32.self)
      mode.storeBytes(of: 8, toByteOffset: 32, as: UInt32.self)
    }
    let values: [(Int, UInt32)] = [(32, 1), (52, connectorType), (60, connection), (64, 160), (68, 100)]
    for (offset, value) in values { memory.storeBytes(of: value, toByteOffset: offset, as: UInt32.self) }
  }

  /// One: DPMS, on.
  private func properties(_ memory: UnsafeMutableRawPointer) {
    for (offset, isWide) in [(0, false), (8, true)] {
      let place = UnsafeMutableRawPointer(bitPattern: UInt(memory.load(fromByteOffset: offset, as: UInt64.self)))!
      if isWide { place.storeBytes(of: 0, as: UInt64.self) } else { place.storeBytes(of: 55, as: UInt32.self) }
    }
    memory.storeBytes(of: 1, toByteOffset: 16, as: UInt32.self)
  }

  private func createDumb(_ memory: UnsafeMutableRawPointer) -> Int32 {
    let handle = next
    next += 1
    handles.insert(handle)
    memory.storeBytes(of: handle, toByteOffset: 16, as: UInt32.self)
    memory.storeBytes(of: UInt32(Self.stride), toByteOffset: 20, as: UInt32.self)
    memory.storeBytes(of: UInt64(Self.bytes), toByteOffset: 24, as: UInt64.self)
    return 0
  }

  private func dirty(_ memory: UnsafeMutableRawPointer) {
    let count = Int(memory.load(fromByteOffset: 12, as: UInt32.self))
    let place = UnsafeMutableRawPointer(bitPattern: UInt(memory.load(fromByteOffset: 16, as: UInt64.self)))!
    clips = (0..<count).map { index in
      let edge = (0..<4).map { Int32(place.load(fromByteOffset: index * 8 + $0 * 2, as: UInt16.self)) }
      return Rect(edge[0], edge[1], edge[2] - edge[0], edge[3] - edge[1])
    }
  }

  private func screen(_ memory: UnsafeMutableRawPointer) {
    let values: [(Int, UInt32)] = [
      (0, 64), (4, 40), (8, 64), (12, virtualHeight), (20, top), (24, 16), (32, 11), (36, 5), (44, 5), (48, 6), (56, 0),
      (60, 5), (88, 0xFFFF_FFFF), (92, 0xFFFF_FFFF),
    ]
    for (offset, value) in values { memory.storeBytes(of: value, toByteOffset: offset, as: UInt32.self) }
  }

  /// As a 64-bit kernel has it.
  private func fixed(_ memory: UnsafeMutableRawPointer) {
    memory.storeBytes(of: virtualHeight * UInt32(Self.stride), toByteOffset: 24, as: UInt32.self)
    memory.storeBytes(of: visual, toByteOffset: 36, as: UInt32.self)
    memory.storeBytes(of: 1, toByteOffset: 42, as: UInt16.self)
    memory.storeBytes(of: UInt32(Self.stride), toByteOffset: 48, as: UInt32.self)
  }
}

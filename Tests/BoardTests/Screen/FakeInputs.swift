import CLinux
import Glibc

@testable import Board

/// Input devices that exist in tests alone: pipes with their names.
final class FakeInputs {
  enum Kind { case mouse, keyboard }

  let tree = ReadingsTree()
  private let kind: Kind
  private var pipes: [Int32] = []
  var grabs = 0
  /// True while another program has grabbed them.
  var areTaken = false

  init(_ count: Int, _ kind: Kind = .mouse) {
    self.kind = kind
    tree.write("/dev/input/mice", "")
    for number in 0..<count { plug(number) }
    tl_interpose_device(
      { context, _, request, argument in
        Unmanaged<FakeInputs>.fromOpaque(context!).takeUnretainedValue().answer(request, argument)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    tl_interpose_device(nil, nil)
    for pipe in pipes where pipe >= 0 { close(pipe) }
  }

  func plug(_ number: Int) {
    let path = tree.root + "/dev/input/event\(number)"
    unlink(path)
    mkfifo(path, 0o600)
    let pipe = open(path, O_RDWR | O_NONBLOCK)
    if number < pipes.count { pipes[number] = pipe } else { pipes.append(pipe) }
  }

  private func answer(_ request: UInt64, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    switch request & 0xFFFF {
    case 0x4520: argument!.storeBytes(of: kind == .mouse ? 6 : 2, as: UInt64.self)
    case 0x4522 where kind == .mouse: argument!.storeBytes(of: 3, as: UInt64.self)
    case 0x4521 where kind == .mouse: argument!.storeBytes(of: 1, toByteOffset: 34, as: UInt8.self)
    case 0x4521: for byte in 0..<12 { argument!.storeBytes(of: 0xFF, toByteOffset: byte, as: UInt8.self) }
    // EVIOCGKEY: no key is down.
    case 0x4518 where kind == .keyboard: break
    case 0x4590 where areTaken && argument != nil:
      errno = EBUSY
      return -1
    case 0x4590: grabs += argument == nil ? -1 : 1
    case 0x45A0: break
    default:
      errno = EINVAL
      return -1
    }
    return 0
  }

  func send(_ number: Int, _ events: [(type: UInt16, code: UInt16, value: Int32)], at milliseconds: Int) {
    for event in events {
      var raw = (milliseconds / 1000, milliseconds % 1000 * 1000, event.type, event.code, event.value)
      _ = withUnsafeBytes(of: &raw) { write(pipes[number], $0.baseAddress, 24) }
    }
  }

  func unplug(_ number: Int) {
    close(pipes[number])
    pipes[number] = -1
  }
}

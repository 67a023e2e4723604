import Runtime

@testable import Camera

nonisolated(unsafe) private let memory = try! ClipMemory()
nonisolated(unsafe) private let writer = try! ClipWriter(sink: memory)

/// Video of any kind, with any time stamps: whatever is taken makes a clip within its limit, of units as long as they
/// say. The input is a limit, and then for each access unit its length, its time step and its bytes.
func checkClip(_ bytes: [UInt8]) {
  guard bytes.count >= 2 else { return }
  let limit = 512 + Int(bytes[0]) << 8 + Int(bytes[1])
  let display = ClipDisplay(
    orientation: Orientation(quarters: Int(bytes[1]) & 3), isFullRange: bytes[1] & 4 == 0 ? nil : bytes[1] & 8 == 0)
  writer.begin(limit: limit, interval: 33_333, display)
  var (index, time, pictures) = (2, Int64(0), 0)
  while index + 3 <= bytes.count {
    let end = min(bytes.count, index + 3 + Int(bytes[index]) << 8 + Int(bytes[index + 1]))
    time += step(bytes[index + 2])
    let unit = Array(bytes[index + 3..<end])
    index = end
    let before = writer.bytes
    do throws(ClipError) {
      let taken = try unit.withUnsafeBufferPointer { unit throws(ClipError) in try writer.add(unit, at: time) }
      if taken != .parameters { pictures += 1 }
    } catch {
      expect(error.text.utf8CodeUnitCount > 0, "refused without a reason")
      expect(pictures == 0 || writer.bytes == before, "what was refused changed the clip")
    }
    expect(writer.pictures == pictures, "\(writer.pictures) pictures of \(pictures)")
  }
  guard let clip = try? writer.finish() else { return expect(pictures == 0, "a clip that cannot be finished") }
  expect(clip.range.count <= limit && clip.range.count == writer.bytes, "\(clip.range) of \(limit)")
  expect(clip.pictures == pictures && clip.width > 0 && clip.height > 0 && clip.duration > 0, "\(clip)")
  checkFile(memory.bytes(of: clip))
}

/// Steps of a few milliseconds, and some that go back, stand still or jump.
private func step(_ byte: UInt8) -> Int64 {
  switch byte {
  case 0: 0
  case 1: -1
  case 2: Budget.clipGapMicroseconds
  case 3: Budget.clipGapMicroseconds + 1
  case 4: .init(1) << 55
  default: Int64(byte) * 500
  }
}

/// The boxes at the top fill the file, and the units in the last one fill it.
private func checkFile(_ file: UnsafeBufferPointer<UInt8>) {
  func word(_ at: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(file[at + $1]) } }
  var (index, boxes) = (0, 0)
  var media = 0
  while index < file.count {
    expect(index + 8 <= file.count && word(index) >= 8, "a torn box at \(index)")
    media = index + 8
    index += word(index)
    boxes += 1
  }
  expect(index == file.count && boxes == 3, "\(boxes) boxes to \(index) of \(file.count)")
  while media < file.count {
    expect(media + 6 <= file.count, "a torn unit at \(media)")
    let kind = file[media + 4] & 31
    expect(kind == 1 || kind == 5 || kind == 6, "a unit of kind \(kind)")
    media += 4 + word(media)
  }
  expect(media == file.count, "units to \(media) of \(file.count)")
}

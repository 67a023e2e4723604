import Runtime

/// Compares the display lists of two frames: what has to be painted again.
///
/// A pixel that no changed command reaches is painted by the same commands in the same order in both frames, so it is
/// the same. It is enough to find commands that both lists have in one order; how many are found only decides how much
/// is painted.
public final class DamageFinder {
  /// A command that paints, as it is compared.
  private struct Entry {
    /// Of the command, its text and the clips around it.
    var hash: UInt64
    /// What it can paint.
    var rect: Rect
  }

  private struct Clip {
    var hash: UInt64
    var rect: Rect
  }

  private let entries: (old: UnsafeMutablePointer<Entry>, new: UnsafeMutablePointer<Entry>)
  private let clips: UnsafeMutableBufferPointer<Clip>
  private(set) var comparisons = 0

  /// Takes the memory for two lists.
  @export(interface)
  public init() {
    entries = (.allocate(capacity: Budget.drawCommands), .allocate(capacity: Budget.drawCommands))
    clips = .allocate(capacity: Budget.clipDepth + 1)
  }

  deinit {
    entries.old.deallocate()
    entries.new.deallocate()
    clips.deallocate()
  }

  /// What differs between two frames of a screen of `size`.
  @export(interface)
  public func damage(from old: DisplayList, to new: DisplayList, _ size: Size) -> Damage {
    let (before, after) = (read(old, size, into: entries.old), read(new, size, into: entries.new))
    var damage = Damage()
    var (i, j) = (0, 0)
    var (oldEnd, newEnd) = (before, after)
    while oldEnd > 0, newEnd > 0, entries.old[oldEnd - 1].hash == entries.new[newEnd - 1].hash {
      oldEnd -= 1
      newEnd -= 1
    }
    // What both lists end with was compared from the end; the start may not use the same commands again.
    comparisons = 0
    while i < oldEnd, j < newEnd {
      if entries.old[i].hash == entries.new[j].hash {
        i += 1
        j += 1
        continue
      }
      let (skipOld, skipNew) = distance(i, oldEnd, j, newEnd)
      for index in i..<i + skipOld { damage.add(entries.old[index].rect) }
      for index in j..<j + skipNew { damage.add(entries.new[index].rect) }
      i += skipOld
      j += skipNew
    }
    for index in i..<max(oldEnd, i) { damage.add(entries.old[index].rect) }
    for index in j..<max(newEnd, j) { damage.add(entries.new[index].rect) }
    return damage
  }

  /// How many commands of each list to leave behind until both go on alike: as few as can be. One of each when nothing
  /// alike is near.
  private func distance(_ i: Int, _ oldEnd: Int, _ j: Int, _ newEnd: Int) -> (old: Int, new: Int) {
    let (oldLeft, newLeft) = (oldEnd - i, newEnd - j)
    for sum in 1...Budget.damageReach {
      guard comparisons < Budget.damageComparisons else { break }
      let from = max(sum - newLeft + 1, 0)
      let to = min(sum, oldLeft - 1)
      guard from <= to else { continue }
      comparisons += to - from + 1
      for skip in from...to where entries.old[i + skip].hash == entries.new[j + sum - skip].hash {
        return (skip, sum - skip)
      }
    }
    return (1, 1)
  }

  /// The commands of a list that paint something.
  private func read(_ list: DisplayList, _ size: Size, into entries: UnsafeMutablePointer<Entry>) -> Int {
    var count = 0
    var depth = 0
    clips[0] = Clip(hash: Hash.start, rect: Rect(0, 0, size.width, size.height))
    for index in 0..<list.count {
      let command = list[index]
      switch command {
      case .clip(let rect, let radius):
        let outer = clips[min(depth, Budget.clipDepth)]
        depth += 1
        var hash = Hash(outer.hash)
        hash.add(rect)
        hash.add(Int32(radius))
        clips[min(depth, Budget.clipDepth)] = Clip(hash: hash.value, rect: outer.rect.intersection(rect))
      case .endClip: depth = max(depth - 1, 0)
      default:
        let clip = clips[min(depth, Budget.clipDepth)]
        let rect = command.bounds.intersection(clip.rect)
        guard !rect.isEmpty else { continue }
        var hash = Hash(clip.hash)
        hash.add(command, list)
        entries[count] = Entry(hash: hash.value, rect: rect)
        count += 1
      }
    }
    return count
  }
}

/// 64 bits of what a command says.
private struct Hash {
  static let start: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var value: UInt64

  init(_ value: UInt64) { self.value = value }

  mutating func add(_ number: UInt64) {
    value = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }

  mutating func add(_ number: Int32) { add(UInt64(UInt32(bitPattern: number))) }

  mutating func add(_ rect: Rect) {
    add(rect.x)
    add(rect.y)
    add(rect.width)
    add(rect.height)
  }

  mutating func add(_ point: Point) {
    add(point.x)
    add(point.y)
  }

  mutating func add(_ fill: Fill) {
    switch fill {
    case .solid(let color): add(UInt64(color.argb))
    case .gradient(let first, let second, let angle):
      add(UInt64(first.argb) << 32 | UInt64(second.argb))
      add(Int32(angle))
    }
  }

  mutating func add(_ command: DrawCommand, _ list: DisplayList) {
    switch command {
    case .fill(let rect, let radius, let fill):
      add(UInt64(1) << 32 | UInt64(UInt16(bitPattern: radius)))
      add(rect)
      add(fill)
    case .border(let rect, let radius, let width, let color):
      add(UInt64(2) << 32 | pair(radius, width))
      add(rect)
      add(UInt64(color.argb))
    case .shadow(let rect, let radius, let blur, let down, let color):
      add(UInt64(3) << 32 | pair(radius, blur))
      add(rect)
      add(Int32(down))
      add(UInt64(color.argb))
    case .text(let slice, let font, let start, let advance, let color):
      add(UInt64(4) << 32 | UInt64(UInt16(bitPattern: font.size)))
      add(UInt64(font.weight.rawValue) | (font.isItalic ? 256 : 0) | (font.isMonospaced ? 512 : 0))
      add(start)
      add(advance)
      add(UInt64(color.argb))
      let text = list.text(slice)
      for index in 0..<text.count { add(UInt64(text[index])) }
    case .line(let from, let to, let width, let color):
      add(UInt64(5) << 32 | UInt64(UInt16(bitPattern: width)))
      add(from)
      add(to)
      add(UInt64(color.argb))
    case .icon(let icon, let rect, let color):
      add(UInt64(6) << 32 | UInt64(icon.rawValue))
      add(rect)
      add(UInt64(color.argb))
    case .arc(let rect, let start, let sweep, let width, let color):
      add(UInt64(7) << 32 | pair(start, sweep))
      add(rect)
      add(Int32(width))
      add(UInt64(color.argb))
    case .picture(let handle, let source, let rect, let radius, let opacity):
      add(UInt64(8) << 32 | UInt64(handle.number))
      add(source)
      add(rect)
      add(pair(radius, Int16(opacity)))
    case .clip, .endClip: break
    }
  }

  private func pair(_ first: Int16, _ second: Int16) -> UInt64 {
    UInt64(UInt16(bitPattern: first)) << 16 | UInt64(UInt16(bitPattern: second))
  }
}

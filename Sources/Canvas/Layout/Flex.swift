import A2UI
import Codec
import Runtime

/// One child on the main axis of a row or a column: what it needs, and what it got. Lengths in pixels.
struct FlexItem: BitwiseCopyable {
  /// Not below this: the longest word, for instance.
  var least: Int32
  /// What its content takes when there is room.
  var content: Int32
  /// Its share of what is left over (CSS `flex: weight 1 0%`); 0: it keeps its content's length, and may shrink.
  var weight: Float
  /// What is free before it, unless it is the first.
  var gap: Int32 = 0
  /// Results: from the start of the container, and how long.
  var start: Int32 = 0
  var length: Int32 = 0
}

/// The part of CSS flexbox that A2UI asks for (canvas reference 1.10), on one line of children.
enum Flex {
  /// Gives each item its length and its start. `room` is the container's length.
  static func resolve(_ items: UnsafeMutableBufferPointer<FlexItem>, room: Int32, _ distribution: Distribution) {
    guard !items.isEmpty else { return }
    items[0].gap = 0
    var gaps: Int32 = 0
    for item in items { gaps += item.gap }
    var left = room - gaps
    // Sums and products of the largest weights, too, are numbers in twice their length.
    var weights = 0.0
    for item in items {
      if item.weight > 0 { weights += Double(item.weight) } else { left -= item.content }
    }
    if weights > 0 { share(items, max(left, 0), weights) }
    var used: Int32 = gaps
    for index in items.indices {
      if items[index].weight <= 0 { items[index].length = items[index].content }
      used += items[index].length
    }
    if used > room { used -= shrink(items, by: used - room) }
    place(items, free: room - used, distribution)
  }

  /// Shares out `room` by weight; who would get less than it needs gets that, and the others share the rest.
  private static func share(_ items: UnsafeMutableBufferPointer<FlexItem>, _ room: Int32, _ weights: Double) {
    var (room, weights) = (room, weights)
    for index in items.indices where items[index].weight > 0 { items[index].length = -1 }
    // Weights that differ by powers would fix one item in each round.
    var (isFixing, rounds) = (true, 0)
    while isFixing, rounds < Budget.flexRounds {
      isFixing = false
      rounds += 1
      for index in items.indices where items[index].weight > 0 && items[index].length < 0 {
        guard Double(room) * Double(items[index].weight) / weights < Double(items[index].least) else { continue }
        items[index].length = items[index].least
        room = max(room - items[index].least, 0)
        weights -= Double(items[index].weight)
        isFixing = true
      }
    }
    // Pixels are whole: each gets what is left times its share of the weights that are left, so that none is lost.
    for index in items.indices where items[index].weight > 0 && items[index].length < 0 {
      let length = weights > 0 ? Int32(clamping: (Double(room) * Double(items[index].weight) / weights).rounded()) : 0
      items[index].length = min(length, room)
      room -= items[index].length
      weights -= Double(items[index].weight)
    }
  }

  /// Shrinks items above their minimum by `excess` in total, in proportion to their length. Returns how much was taken.
  private static func shrink(_ items: UnsafeMutableBufferPointer<FlexItem>, by excess: Int32) -> Int32 {
    var (found, rounds): (Int32, Int) = (0, 0)
    while found < excess, rounds < Budget.flexRounds {
      rounds += 1
      var total: Int64 = 0
      for item in items where item.length > item.least { total += Int64(item.length) }
      guard total > 0 else { break }
      let wanted = excess - found
      var round: Int32 = 0
      for index in items.indices where items[index].length > items[index].least {
        let part = max(Int32(Int64(wanted) * Int64(items[index].length) / total), 1)
        let taken = min(part, items[index].length - items[index].least, excess - found - round)
        items[index].length -= taken
        round += taken
      }
      guard round > 0 else { break }
      found += round
    }
    return found
  }

  /// Overflowing content begins at the start, never left of its container.
  private static func place(
    _ items: UnsafeMutableBufferPointer<FlexItem>, free: Int32, _ distribution: Distribution
  ) {
    // Products of a length and a number of children are numbers in twice its length.
    let (free, count) = (Int64(max(free, 0)), Int64(items.count))
    var start: Int32 = 0
    for index in items.indices {
      let place = Int64(index)
      let extra =
        switch distribution {
        case .start: Int64(0)
        case .center: free / 2
        case .end: free
        case .spaceBetween: count > 1 ? free * place / (count - 1) : 0
        case .spaceAround: free * (2 * place + 1) / (2 * count)
        case .spaceEvenly: free * (place + 1) / (count + 1)
        }
      start += items[index].gap
      items[index].start = start + Int32(extra)
      start += items[index].length
    }
  }
}

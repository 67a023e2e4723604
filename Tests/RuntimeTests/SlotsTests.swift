import Runtime
import Testing

@Suite struct SlotsTests {
  private final class Thing {}

  @Test func anElementKeepsItsNumberUntilItIsTakenOut() {
    var slots = Slots<String>(capacity: 3)
    let numbers = ["a", "b", "c", "d"].map { slots.add($0) }
    #expect(numbers == [0, 1, 2, nil])
    let taken = slots.take(1)
    #expect(taken == "b")
    let (kept, empty, again) = (slots[2], slots[1], slots.take(1))
    #expect(kept == "c" && empty == nil && again == nil)
    let next = slots.add("e")
    #expect(next == 1)
  }

  @Test func aNumberThatNoSlotHasIsEmpty() {
    var slots = Slots<Int>(capacity: 2)
    for number in [-1, 2, Int.min, Int.max] {
      let taken = slots.take(number)
      #expect(taken == nil)
    }
  }

  @Test func theFirstThatFitsIsFound() {
    var slots = Slots<Int>(capacity: 4)
    for number in [5, 8, 13] { _ = slots.add(number) }
    _ = slots.take(0)
    let (even, any, none) = (slots.first { $0 % 2 == 0 }, slots.first { _ in true }, slots.first { $0 > 20 })
    #expect(even == 1 && any == 1 && none == nil)
  }

  @Test func elementsAreGivenBackWithTheSlots() {
    weak var thing: Thing?
    do {
      var slots = Slots<Thing>(capacity: 2)
      let made = Thing()
      thing = made
      _ = slots.add(made)
    }
    #expect(thing == nil)
  }
}

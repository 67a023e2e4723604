import A2UI
import Runtime
import Testing

@testable import Canvas

@Suite("Children in a row")
struct FlexTests {
  private func resolve(
    _ items: [(least: Int32, content: Int32, weight: Float)], room: Int32, gap: Int32 = 10,
    _ distribution: Distribution = .start
  ) -> [String] {
    var list = items.map { FlexItem(least: $0.least, content: $0.content, weight: $0.weight, gap: gap) }
    list.withUnsafeMutableBufferPointer { Flex.resolve($0, room: room, distribution) }
    return list.map { "\($0.start)+\($0.length)" }
  }

  @Test("content keeps its length, and the rest goes where the distribution says")
  func distributes() {
    let two: [(Int32, Int32, Float)] = [(10, 20, 0), (10, 30, 0)]
    #expect(resolve(two, room: 100) == ["0+20", "30+30"])
    #expect(resolve(two, room: 100, .center) == ["20+20", "50+30"])
    #expect(resolve(two, room: 100, .end) == ["40+20", "70+30"])
    #expect(resolve(two, room: 100, .spaceBetween) == ["0+20", "70+30"])
    #expect(resolve(two, room: 100, .spaceAround) == ["10+20", "60+30"])
    #expect(resolve(two, room: 100, .spaceEvenly) == ["13+20", "56+30"])
    #expect(resolve([(10, 20, 0)], room: 100, .spaceBetween) == ["0+20"])
  }

  @Test("weights share what is left, and no pixel is lost")
  func shares() {
    #expect(resolve([(0, 50, 1), (0, 10, 2)], room: 100) == ["0+30", "40+60"])
    #expect(resolve([(0, 40, 0), (0, 10, 1)], room: 100, .end) == ["0+40", "50+50"])
    #expect(resolve([(0, 9, 1), (0, 9, 1), (0, 9, 1)], room: 101, gap: 0) == ["0+34", "34+34", "68+33"])
  }

  @Test("weights whose sum, or whose share of the room, is beyond the largest number share like any others")
  func shareHugely() {
    #expect(resolve([(0, 9, 1e38), (0, 9, 1e38)], room: 110) == ["0+50", "60+50"])
    #expect(resolve([(0, 9, 3e38), (0, 9, 3e38), (0, 9, 1)], room: 120) == ["0+50", "60+50", "120+0"])
    #expect(resolve([(5, 9, .infinity), (5, 9, 1)], room: 100).count == 2)
    #expect(resolve([(.max, .max, 0), (.max, .max, 0), (.max, .max, 1)], room: .max, .center).count == 3)
  }

  @Test("an item never gets less than its longest word")
  func keepsTheLeast() {
    #expect(resolve([(60, 60, 1), (10, 10, 3)], room: 110) == ["0+60", "70+40"])
  }

  @Test("where room is missing, what can shrink does, and nothing stands left of the start")
  func shrinks() {
    #expect(resolve([(10, 100, 0), (10, 50, 0)], room: 100) == ["0+60", "70+30"])
    #expect(resolve([(80, 100, 0), (40, 50, 0)], room: 100, .center) == ["0+80", "90+40"])
    #expect(resolve([(80, 100, 0), (10, 50, 0)], room: 120) == ["0+80", "90+30"])
  }

  @Test("items beyond the capacity are left out, and all are returned")
  func items() throws {
    let items = try FlexItems()
    items.lend(Budget.flexItems - 10) { outer in
      #expect(outer.count == Budget.flexItems - 10)
      items.lend(20) { #expect($0.count == 10) }
      items.lend(20) { #expect($0.count == 10) }
    }
    items.lend(Budget.flexItems) { #expect($0.count == Budget.flexItems) }
  }
}

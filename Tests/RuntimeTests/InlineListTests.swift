import Testing

@testable import Runtime

@Suite struct InlineListTests {
  @Test("it takes as much as it has room for, in order")
  func room() {
    var list = InlineList<2, Int>()
    #expect(list.isEmpty)
    let taken = [list.append(5), list.append(7), list.append(9)]
    #expect(taken == [true, true, false])
    #expect(list.count == 2 && list[0] == 5 && list[1] == 7)
    list[1] = 8
    #expect(list[1] == 8)
    list.removeAll()
    #expect(list.isEmpty)
  }
}

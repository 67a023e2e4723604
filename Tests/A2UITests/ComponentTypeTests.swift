import Testing

@testable import A2UI

@Suite("Component types")
struct ComponentTypeTests {
  @Test("the standard catalog has 18, each under a name of its own")
  func catalog() {
    let names = Set(ComponentType.allCases.map { "\($0.name)" })
    #expect(names.count == 19)
    #expect(ComponentType.allCases.count == 19)
  }
}

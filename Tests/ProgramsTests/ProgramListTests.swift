import Codec
import Runtime
import Testing

@testable import Programs

@Suite("The list of programs") struct ProgramListTests {
  private let list = ProgramList(["/usr/bin/df", "/opt/tools/df-all", "/bin/echo"])

  private func index(_ word: String) -> Int? { word.withBytes { list.index(of: $0) } }

  @Test("a program is found by its absolute path, and by its base name alone")
  func found() {
    #expect(index("/usr/bin/df") == 0 && index("df") == 0)
    #expect(index("df-all") == 1 && index("/bin/echo") == 2)
  }

  @Test(
    "nothing else is: another folder, part of a name, a way around, a path that depends on a folder, nothing",
    arguments: [
      "/bin/df", "d", "dfx", "DF", "/usr/bin/../bin/df", "//usr/bin/df", "/usr/bin/df/", "./df", "bin/echo", "", "/",
      "echo ", "\u{0}echo", "e\u{301}cho",
    ])
  func others(word: String) {
    #expect(index(word) == nil)
    #expect(ProgramList([]).index(of: UnsafeBufferPointer(start: nil, count: 0)) == nil)
  }

  @Test("no more programs than the budget has count")
  func most() {
    let list = ProgramList((0..<100).map { "/bin/tool\($0)" })
    #expect(list.paths.count == Budget.runPrograms)
    #expect("tool99".withBytes { list.index(of: $0) } == nil)
  }
}

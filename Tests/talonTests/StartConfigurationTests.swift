import Glibc
import Runtime
import Testing

@testable import talon

@Suite("The configuration of a start") struct StartConfigurationTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/talon.conf" }
  private var state: String { folder.path + "/state" }
  private var run: String { folder.path + "/run" }

  init() {
    mkdir(state, 0o700)
    mkdir(run, 0o755)
  }

  private func put(_ name: String, more: String = "") {
    let text = """
      [node]
      name = \(name)
      state_directory = \(state)
      runtime_directory = \(run)
      \(more)

      """
    _ = folder.put("talon.conf", text)
  }

  /// Starts as the agent does, and serves.
  private func start() throws -> StartConfiguration {
    let start = try StartConfiguration.read(path)
    if let text = start.text { #expect(LastConfiguration.save(text, state: state, runtime: run) == nil) }
    return start
  }

  @Test("is that of a right file")
  func right() throws {
    put("Roof")
    let first = try start()
    #expect(first.configuration.name == "Roof" && first.trouble.isEmpty && first.text?.isEmpty == false)
    put("Cellar")
    #expect(try start().configuration.name == "Cellar")
  }

  @Test(
    "is the last one with which the agent served, where the file is wrong, cut, or no text",
    arguments: ["nonsense", "[node", "unknown_key = 1", "\0"])
  func wrong(more: String) throws {
    put("Roof")
    _ = try start()
    put("Cellar", more: more)
    let second = try start()
    #expect(second.configuration.name == "Roof" && second.text == nil && second.trouble.hasPrefix(path))
    // And at the next, for a wrong text is never kept.
    #expect(try start().configuration.name == "Roof")
    put("Attic")
    let third = try start()
    #expect(third.configuration.name == "Attic" && third.trouble.isEmpty)
  }

  @Test("a wrong file with no configuration before it is refused, and its mistake named")
  func first() throws {
    put("Roof", more: "nonsense")
    let failure = try #require(throws: Failure.self) { _ = try StartConfiguration.read(self.path) }
    #expect(failure.code == .configuration && failure.text.contains("expected [section] or key = value"))
  }

  @Test("an empty one means that everything had its default")
  func empty() throws {
    #expect(LastConfiguration.save([], state: state, runtime: run) == nil)
    put("Roof", more: "nonsense")
    let start = try start()
    #expect(start.configuration.name.isEmpty && !start.trouble.isEmpty)
  }

  @Test("what flash does not take is kept in memory, and counts until flash has a newer one")
  func memory() throws {
    put("Roof")
    _ = try start()
    put("Cellar")
    let text = try #require(try StartConfiguration.read(path).text)
    // A file in the place of the folder: nothing can be made below it.
    rename(state, state + ".aside")
    _ = folder.put("state", "")
    #expect(LastConfiguration.save(text, state: state, runtime: run) != nil)
    unlink(state)
    rename(state + ".aside", state)
    put("Attic", more: "nonsense")
    #expect(try StartConfiguration.read(path).configuration.name == "Cellar")
    put("Attic")
    _ = try start()
    put("Attic", more: "nonsense")
    #expect(try StartConfiguration.read(path).configuration.name == "Attic")
    #expect(!LastConfiguration.isThere(run))
  }

  @Test("the same text is written once")
  func wear() throws {
    put("Roof")
    _ = try start()
    var before = stat()
    var after = stat()
    #expect(stat(state + "/configuration", &before) == 0)
    _ = try start()
    #expect(stat(state + "/configuration", &after) == 0 && before.st_ino == after.st_ino)
  }

  @Test("a torn one is its generation before")
  func torn() throws {
    for name in ["Roof", "Cellar"] {
      put(name)
      _ = try start()
    }
    truncate(state + "/configuration", 20)
    put("Attic", more: "nonsense")
    #expect(try StartConfiguration.read(path).configuration.name == "Roof")
  }
}

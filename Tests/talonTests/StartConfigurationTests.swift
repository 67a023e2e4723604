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

  /// Folders of the test in the place of those of this machine, where an agent may have kept its configuration.
  private var usual: Configuration {
    var usual = Configuration()
    usual.stateDirectory = folder.path + "/usual/state"
    usual.runtimeDirectory = folder.path + "/usual/run"
    return usual
  }

  private func read(checked: String? = nil) throws -> StartConfiguration {
    try StartConfiguration.read(path, checked: checked, usual: usual)
  }

  /// Starts as the agent does, and serves.
  private func start() throws -> StartConfiguration {
    let start = try read()
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
    let failure = try #require(throws: Failure.self) { _ = try self.read() }
    #expect(failure.code == .configuration && failure.text.contains("expected [section] or key = value"))
  }

  @Test(
    "a file that is empty or gone is told where the agent served with another one, which is used",
    arguments: ["is empty", "cannot be read: no such file or directory"])
  func emptied(reason: String) throws {
    let (state, run) = (usual.stateDirectory, usual.runtimeDirectory)
    for path in ["", "/state", "/run"] { mkdir(folder.path + "/usual" + path, 0o700) }
    #expect(LastConfiguration.save(Array("[node]\nname = Roof\n".utf8), state: state, runtime: run) == nil)
    if reason == "is empty" { _ = folder.put("talon.conf", "") }
    let start = try read()
    #expect(start.configuration.name == "Roof" && start.text == nil && start.trouble == "\(path): \(reason)")
    // A comment is a person's word that nothing shall be set.
    _ = folder.put("talon.conf", "# the usual settings\n")
    #expect(try read().configuration.name.isEmpty)
  }

  @Test("an empty file of a board that never served with another one means the usual settings")
  func unconfigured() throws {
    _ = folder.put("talon.conf", "")
    let start = try read()
    #expect(start.text == [] && start.trouble.isEmpty)
  }

  @Test(
    "what a run has checked counts for the next one, whatever the file holds by then",
    arguments: ["", "[node]\n", "[node]\nname = Cellar\n", "nonsense\n"])
  func handedOver(meanwhile: String) throws {
    put("Roof")
    let checked = try #require(try start().text)
    _ = folder.put("talon.conf", meanwhile)
    let place = try #require(LastConfiguration.folder(of: checked, state: state, runtime: run))
    let next = try read(checked: place)
    #expect(next.configuration.name == "Roof" && next.text == checked && next.isHandedOver && next.trouble.isEmpty)
    // Where it is lost, the file counts.
    #expect(LastConfiguration.folder(of: checked + [32], state: state, runtime: run) == nil)
    put("Attic")
    let lost = try read(checked: folder.path)
    #expect(lost.configuration.name == "Attic" && !lost.isHandedOver)
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
    let text = try #require(try read().text)
    // A file in the place of the folder: nothing can be made below it.
    rename(state, state + ".aside")
    _ = folder.put("state", "")
    #expect(LastConfiguration.save(text, state: state, runtime: run) != nil)
    unlink(state)
    rename(state + ".aside", state)
    put("Attic", more: "nonsense")
    #expect(try read().configuration.name == "Cellar")
    put("Attic")
    _ = try start()
    put("Attic", more: "nonsense")
    #expect(try read().configuration.name == "Attic")
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
    #expect(try read().configuration.name == "Roof")
  }
}

import Foundation
import Runtime
import Testing

@testable import Agent
@testable import Benches
@testable import FilesPart
@testable import Node

@Suite("Files, from frame to frame") struct FileCommandTests {
  private let share: ShareBench
  private let bench: AgentBench

  init() throws {
    share = try ShareBench()
    bench = try AgentBench(files: share.folders)
  }

  private func ask(_ command: String, _ name: String, _ members: String = "", id: String = "1") throws -> Answer {
    let path = ShareBench.quoted(share.path + "/" + name)
    return try #require(try bench.invoke(id, command, params: "{\"path\":\(path)\(members)}").first)
  }

  private func declared(_ bench: AgentBench, _ key: String) throws -> [String] {
    try #require(bench.connect["params"].flatMap { ($0 as? [String: Any])?[key] as? [String] })
  }

  @Test("commands are declared as far as folders allow them")
  func declarations() throws {
    let commands = try declared(bench, "commands")
    #expect(["file.fetch", "dir.list", "file.stat", "file.write", "file.create"].allSatisfy(commands.contains))
    #expect(try declared(bench, "caps").contains("file"))
    let reading = SharedFolders([share.folders.folders[0]], stateFolder: share.path + "/state")
    let less = try declared(try AgentBench(files: reading), "commands")
    #expect(less.contains("file.fetch") && !less.contains("file.write") && !less.contains("file.create"))
    let none = try AgentBench()
    #expect(try !declared(none, "caps").contains("file") && !declared(none, "commands").contains("dir.list"))
  }

  @Test("a file is answered whole, with its digest; an empty one as well")
  func fetches() throws {
    let text = String(repeating: "line of a log\n", count: 20_000)
    share.put("share/a.log", text)
    let payload = try ask("file.fetch", "share/a.log").payload
    #expect(payload["ok"] as? Bool == true && payload["size"] as? Int == text.utf8.count)
    #expect(payload["base64"] as? String == ShareBench.base64(text) && payload["mimeType"] as? String == "text/plain")
    #expect((payload["sha256"] as? String)?.utf8.count == 64)
    #expect(payload["path"] as? String == share.path + "/share/a.log")
    share.put("share/empty")
    let empty = try ask("file.fetch", "share/empty", id: "2").payload
    #expect(empty["ok"] as? Bool == true && empty["base64"] as? String == "" && empty["size"] as? Int == 0)
    let preflight = try ask("file.fetch", "share/a.log", #","preflightOnly":true"#, id: "3").payload
    #expect(preflight["preflightOnly"] as? Bool == true && preflight["base64"] as? String == "")
  }

  @Test("what is wrong is an answer with a code, the folders that are shared, and a line in the log")
  func refusals() throws {
    let answer = try ask("file.fetch", "outside/a")
    #expect(answer.isOK && answer.payload["ok"] as? Bool == false)
    #expect(answer.payload["code"] as? String == "PERMISSION_DENIED")
    let message = try #require(answer.payload["message"] as? String)
    #expect(message.contains("/share (read)") && message.contains("/inbox (read and write)"))
    #expect(answer.payload["canonicalPath"] as? String == share.path + "/outside/a")
    let missing = try #require(try bench.invoke("2", "file.fetch", params: "{}").first)
    #expect(missing.payload["code"] as? String == "INVALID_PATH" && missing.payload["canonicalPath"] == nil)
  }

  @Test("a file that is written is told, answered and listed")
  func writes() throws {
    let content = #","contentBase64":"\#(ShareBench.base64("hello"))""#
    let payload = try ask("file.write", "inbox/a.txt", content).payload
    #expect(payload["ok"] as? Bool == true && payload["overwritten"] as? Bool == false && payload["size"] as? Int == 5)
    #expect(share.content("inbox/a.txt") == "hello")
    let list = try ask("dir.list", "inbox", id: "2").payload
    #expect((list["entries"] as? [[String: Any]])?.first?["name"] as? String == "a.txt")
    let status = try ask("file.stat", "inbox/a.txt", id: "3").payload
    #expect(status["isDir"] as? Bool == false && status["size"] as? Int == 5)
    let denied = try ask("file.write", "share/a.txt", content, id: "4").payload
    #expect(denied["code"] as? String == "PERMISSION_DENIED")
  }

  @Test("several calls at once take turns, and each is answered")
  func turns() throws {
    share.put("share/a", "1")
    let path = ShareBench.quoted(share.path + "/share/a"), folder = ShareBench.quoted(share.path + "/share")
    for id in 0..<4 { bench.gateway.send(bench.frame("f\(id)", "file.fetch", params: "{\"path\":\(path)}")) }
    bench.gateway.send(bench.frame("l", "dir.list", params: "{\"path\":\(folder)}"))
    bench.gateway.send(bench.frame("s", "file.stat", params: "{\"path\":\(path)}"))
    var answers: [Answer] = []
    for _ in 0..<8 {
      answers += try bench.settle()
      bench.pass(1)
    }
    #expect(Set(answers.map(\.id)) == ["f0", "f1", "f2", "f3", "l", "s"] && answers.count == 6)
    #expect(answers.allSatisfy { $0.payload["ok"] as? Bool == true })
  }

  @Test("what a gateway asks for counts within its range, and no more is sent than the budget gives")
  func asked() throws {
    share.put("share/two", "12")
    let two = try ask("file.fetch", "share/two", #","maxBytes":0"#).payload
    #expect(two["code"] as? String == "FILE_TOO_LARGE")
    #expect((two["message"] as? String)?.contains("2, and \(Budget.fileAskedBytes.lowerBound) is") == true)
    share.put("share/large")
    truncate(share.path + "/share/large", Budget.fileBytes + 1)
    let large = try ask("file.fetch", "share/large", #","maxBytes":9000000000000"#, id: "2").payload
    #expect((large["message"] as? String)?.contains(", and \(Budget.fileBytes) is") == true)
  }

  @Test("a call that a slow disk keeps is told of after its time, and then every so often")
  func slow() throws {
    let channel = FakeChannel()
    bench.agent.router.online(channel, acceptsProgress: true)
    share.put("share/a", "1")
    let path = ShareBench.quoted(share.path + "/share/a")
    bench.gateway.send(bench.frame("1", "file.fetch", params: "{\"path\":\(path)}"))
    func chunks() -> [String] {
      channel.waiting.filter { $0.method == "node.invoke.progress" }.compactMap { $0.params["chunk"] as? String }
    }
    bench.pass(Budget.fileProgressMilliseconds - 1)
    #expect(chunks().isEmpty)
    bench.pass(1)
    #expect(chunks() == ["the board's disk is at work"])
    bench.pass(2 * Budget.fileBeatMilliseconds)
    #expect(chunks() == ["the board's disk is at work", "", ""])
    #expect(try bench.settle().first?.payload["ok"] as? Bool == true)
    bench.pass(Budget.fileBeatMilliseconds)
    #expect(chunks().count == 3)
  }

  @Test("one of each command finds room beside one that was given up and has not ended")
  func room() throws {
    share.put("share/a", "1")
    let (path, fresh) = (ShareBench.quoted(share.path + "/share/a"), ShareBench.quoted(share.path + "/inbox/b"))
    bench.gateway.send(bench.frame("0", "file.fetch", params: "{\"path\":\(path)}"))
    bench.cancelInvoke("0")
    let folder = ShareBench.quoted(share.path + "/share")
    let content = #","contentBase64":"\#(ShareBench.base64("hello"))""#
    for (id, command, parameters) in [
      ("1", "file.fetch", path), ("2", "file.stat", path), ("3", "dir.list", folder),
      ("4", "file.write", fresh + content),
    ] {
      bench.gateway.send(bench.frame(id, command, params: "{\"path\":\(parameters)}"))
    }
    var answers: [Answer] = []
    for _ in 0..<8 { answers += try bench.settle() }
    // The one that was given up is answered, too.
    answers.removeAll { $0.id == "0" }
    #expect(Set(answers.map(\.id)) == ["1", "2", "3", "4"])
    #expect(answers.allSatisfy { $0.payload["ok"] as? Bool == true })
  }

  @Test("a call that is cancelled leaves room for the next")
  func cancels() throws {
    let content = #","contentBase64":"\#(ShareBench.base64("hello"))""#
    let path = ShareBench.quoted(share.path + "/inbox/a")
    bench.gateway.send(bench.frame("1", "file.write", params: "{\"path\":\(path)\(content)}"))
    bench.cancelInvoke("1")
    _ = try bench.settle()
    #expect(share.names("inbox").isEmpty)
    #expect(try ask("file.write", "inbox/b", content, id: "2").payload["ok"] as? Bool == true)
  }
}

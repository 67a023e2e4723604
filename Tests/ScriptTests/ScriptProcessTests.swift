import Canvas
import Foundation
import Runtime
import TestSupport
import Testing

@testable import Script

/// The program as it was built beside these tests, as the process that runs scripts.
private let built: ConfinedProgram = {
  let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }.map {
    URL(fileURLWithPath: $0.bundlePath).deletingLastPathComponent()
  }
  return ConfinedProgram(
    ScriptProcess.name,
    path: (bundle ?? Repository.folder.appendingPathComponent(".build/debug")).appendingPathComponent("talon").path)
}()

/// A process that is a shell's script, with what it shares as its descriptors 0 and 1, and its line as 2.
private func shell(_ script: String) -> ConfinedProgram {
  var program = ConfinedProgram("", path: "/bin/sh")
  program.arguments = ["sh", "-c", script]
  return program
}

@Suite("Scripts in a process of their own") struct ScriptProcessTests {
  private static let programs: [[String]] = [
    ["6 * 7"], ["({a: [1, 'x', null]})"], ["'\\ud800x\\u{1F600}'"], ["throw new Error('no')"], ["1 +"], ["x.y"], [""],
    ["new Promise(done => setTimeout(() => done('late'), 20))"], ["await 5"], ["let kept = 3", "kept + 1", "kept"],
    ["'x'.repeat(262144)"], ["'x'.repeat(262145)"],
    ["const a = []; for (;;) a.push('x'.repeat(1e5) + a.length)", "1 + 1"], ["(function f() { f() })()"],
    ["[innerWidth, innerHeight, devicePixelRatio]"], ["Intl.DateTimeFormat"], ["new Date(0).getTimezoneOffset()"],
    ["console.log('one'); console.error('two'); 3"], ["for (let i = 0; i < 40; i++) console.log(i)"],
    ["openclawA2UI.push([{beginRendering: {surfaceId: 'main', root: 'r'}}])"], ["openclawA2UI.push(1)"],
    ["openclawA2UI.reset()"],
    ["openclawA2UI.surfaces()"], ["openclawSendUserAction({name: 'x'})"], ["openclawSendUserAction(5)"],
    ["__openclaw.setStatus('Title', 'and more')"], ["__openclaw.renderHome({title: 'Greenhouse', footer: 'here'})"],
    [
      "const c = __openclaw.ctx; c.fillStyle = '#123456'; c.fillRect(10, 10, 100, 50); c.font = '20px sans-serif'; c.measureText('').width"
    ],
    ["__openclaw.canvas.width = 40; __openclaw.canvas.height = 30; __openclaw.ctx.fillRect(0, 0, 40, 30); 1"],
    ["__openclaw.canvas.width = 0; __openclaw.canvas.width"],
    ["__openclaw.canvas.width = 1e9"],
    ["setTimeout(() => { throw new Error('later') }, 1); await new Promise(d => setTimeout(d, 30)); 5"],
    ["let n = 0; requestAnimationFrame(() => { n++ }); await new Promise(d => setTimeout(d, 60)); n"],
  ]

  /// All that came of a play.
  private func play(_ programs: [String], _ stage: Stage) -> [String] {
    var told = programs.map { stage.evaluate($0) }
    told += stage.pushed
    if let drawing = stage.drawing {
      var sum: UInt64 = 0
      for pixel in drawing.pixels { sum = sum &* 31 &+ UInt64(pixel) }
      told.append("\(drawing.size) \(sum)")
    }
    let card = stage.scheduler.card
    told.append("\(String(describing: card.kind))")
    for index in 0..<5 {
      told.append(card.lines[index].span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    }
    // Without the times of the log.
    return told + stage.lines.map { String($0.drop { $0 != "s" }) }
  }

  @Test("What they say, draw, push and throw is what it is in this process", arguments: programs)
  func contract(_ programs: [String]) throws {
    #expect(play(programs, try Stage(program: built)) == play(programs, try Stage()))
  }

  @Test("Pictures that a script brings along are decoded there")
  func pictures() throws {
    let stage = try Stage(program: built)
    let red = "data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs="
    #expect(
      stage.evaluate(
        "const p = new Image(); p.src = '\(red)'; __openclaw.ctx.drawImage(p, 0, 0, 8, 8); [p.width, p.height]")
        == "[1,1]")
    #expect(stage.drawing?.pixels[3] == 0xFFFF_0000)
    #expect(stage.evaluate("const q = new Image(); q.src = 'data:image/png;base64,AAAA'; 'goes on'") == "goes on")
  }

  @Test("There is a process from the first evaluation until the context is thrown away")
  func life() throws {
    let stage = try Stage(program: built)
    let host = try #require(stage.host as? ScriptProcess)
    #expect(!host.isAlive)
    #expect(stage.evaluate("let mine = 1; mine") == "1" && host.isAlive)
    #expect(stage.evaluate("mine") == "1" && host.isAlive)
    stage.scheduler.reset()
    stage.runner.runAll()
    #expect(!host.isAlive)
    #expect(stage.evaluate("typeof mine") == "undefined" && host.isAlive)
  }

  @Test(
    "What never ends is ended after its time, and the next program has a new process",
    arguments: ["for (;;) {}", "[...Array(2 ** 32 - 1).keys()]"])
  func endless(_ program: String) throws {
    let stage = try Stage(limit: 200, program: built)
    #expect(stage.evaluate("let mine = 1; mine") == "1")
    let told = stage.evaluate(program)
    #expect(told == "!timed out" || told.contains("memory") || told.contains("invalid"), "\(told)")
    #expect(stage.evaluate("6 * 7") == "42")
  }

  @Test("What is cancelled ends at once, however busy it is")
  func cancelled() throws {
    let stage = try Stage(limit: 20_000, program: built)
    stage.canceller = { stage.scheduler.cancel() }
    let start = stage.clock.monotonic
    #expect(stage.evaluate("openclawA2UI.reset(); for (;;) {}") == "!stopped")
    #expect(stage.clock.monotonic - start < 20_000)
    stage.canceller = nil
    #expect(stage.evaluate("6 * 7") == "42")
  }

  @Test(
    "One that crashes, ends or talks nonsense is an error, and the agent goes on",
    arguments: [
      ("kill -SEGV $$", ConfinedEnd.signal(11)), ("kill -SYS $$", .signal(31)), ("exit 0", .exit(0)),
      ("exit 72", .exit(Confinement.refused)),
      ("exec 2>&-; sleep 1000", .signal(9)), ("printf '\\007' >&2; sleep 1000", .invalidMessage),
      ("printf '\\001' >&2; sleep 1000", .invalidMessage),
    ])
  func deaths(_ script: String, _ end: ConfinedEnd) throws {
    let stage = try Stage(limit: 300, program: shell(script))
    #expect(stage.evaluate("1") == "!\(end)")
    #expect(stage.lines.contains { $0.contains("the script's process ") })
  }

  @Test("One that says that it has done everything, and nothing else, has no result in its time")
  func silent() throws {
    // No timer is due: -1 in the number 21.
    let untimed =
      "printf '\\377\\377\\377\\377\\377\\377\\377\\377' | dd bs=1 seek=168 conv=notrunc of=/proc/$$/fd/0 2>/dev/null"
    let stage = try Stage(limit: 100, program: shell("\(untimed); printf '\\004' >&2; sleep 1000"))
    #expect(stage.evaluate("1") == "!timed out")
  }

  @Test("Whatever stands in a report, it is taken without a fault, and what comes of it can be touched")
  func noise() throws {
    let stage = try Stage(program: built)
    let host = try ScriptProcess(caller: stage.world, program: built)
    let exchange = try SharedMemory(capacity: ScriptExchange.bytes),
      surface = try SharedMemory(capacity: ScriptExchange.surfaceBytes)
    var random = Seeded(1)
    for turn in 0..<3_000 {
      for word in 0..<96 {
        let values: [Int64] = [
          0, 1, 2, .random(in: -3...300, using: &random), .random(in: .min ... .max, using: &random),
          1 << Int64.random(in: 0...62, using: &random),
        ]
        exchange[word: word] = values.randomElement(using: &random)!
      }
      // Every fourth report is one that reaches the lines.
      if turn % 4 == 0 {
        exchange[word: ScriptExchange.Report.result] = 0
        exchange[word: ScriptExchange.Report.width] = 9
        exchange[word: ScriptExchange.Report.height] = .random(in: 1...300_000, using: &random)
        exchange[word: ScriptExchange.Report.outcome] = .random(in: 0...3, using: &random)
      }
      for _ in 0..<64 {
        exchange.bytes[.random(in: ScriptExchange.card..<ScriptExchange.text + 64, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      _ = host.take(exchange, surface)
      #expect(host.text.count <= Budget.scriptResultBytes && (host.nextTimer ?? 0) >= 0)
      if let pixels = host.pixels {
        #expect(pixels.pixels.count == Int(pixels.size.width) * Int(pixels.size.height) && pixels.pixels.last != 1)
      }
      for line in 0..<5 {
        #expect(
          String(validating: host.card.lines[line].span.withUnsafeBufferPointer { Array($0) }, as: UTF8.self) != nil)
      }
      _ = host.console.drain { _, text in #expect(text.count <= Budget.logLineBytes) }
      host.releaseText()
    }
  }

  @Test(
    "An invalid request ends it, and nothing is called",
    arguments: [(9, ConfinedEnd.invalidMessage), (255, .invalidMessage)])
  func questions(_ kind: Int, _ end: ConfinedEnd) throws {
    // The kind of a question stands in the number 80.
    let write = "printf '\\\(String(kind, radix: 8))' | dd bs=1 seek=640 conv=notrunc of=/proc/$$/fd/0 2>/dev/null"
    let stage = try Stage(limit: 100, program: shell("\(write); printf '\\003' >&2; sleep 1000"))
    #expect(stage.evaluate("1") == "!\(end)" && stage.asked == 0)
  }
}

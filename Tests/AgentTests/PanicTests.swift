import Camera
import Foundation
import Gateway
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart

@Suite("A person holds the board still")
struct PanicTests {
  static func policy(idle: Int64 = 3_000, keepsWarm: Bool = false) -> CameraPolicy {
    var policy = CameraPolicy()
    policy.idle = idle
    policy.keepsWarm = keepsWarm
    return policy
  }

  private func isOpen(_ bench: AgentBench) -> Bool { bench.camera.isStreaming }

  @Test("running invokes are answered, the camera closes, and the session ends with a reason")
  func holds() throws {
    let bench = try AgentBench(policy: Self.policy(idle: 60_000))
    _ = try bench.invoke("warm", "camera.snap", params: #"{"delayMs":0}"#)
    #expect(isOpen(bench))
    bench.gateway.send(bench.frame("1", "location.get", params: #"{"timeoutMs":20000}"#))
    bench.agent.gestured(.panic)
    let answers = try bench.takeAnswers()
    #expect(answers.map(\.id) == ["1"])
    #expect(answers.first?.message == "UNAVAILABLE: a person holds this board (panic)")
    #expect(bench.goodbye?.code == 1000)
    #expect(bench.goodbye?.reason == "a person holds this board (panic)")
    bench.runner.runAll()
    #expect(!isOpen(bench))
    #expect(bench.agent.signals.first == .panic)
  }

  @Test("a photo in the making is given up, and none begins")
  func cancelsPhotos() throws {
    let bench = try AgentBench(policy: Self.policy(keepsWarm: true))
    bench.gateway.send(bench.frame("1", "camera.snap", params: #"{"delayMs":0}"#))
    bench.agent.gestured(.panic)
    bench.runner.runAll()
    #expect(!isOpen(bench))
    bench.pass(10_000)
    bench.runner.runAll()
    #expect(!isOpen(bench))
  }

  @Test("the board stays held over a power cut, and connects when it is let go")
  func holdsOverPowerCuts() throws {
    let store = MemoryStore()
    let first = try AgentBench(holdStore: store)
    first.agent.gestured(.panic)
    first.runner.runAll()
    let second = try AgentBench(holdStore: store, connects: false)
    second.pass(120_000)
    #expect(second.agent.session.state == .stopped)
    #expect(second.transport.opens == 0)
    #expect(second.agent.signals.first == .panic)
    // The same press: held for 3 s, and let go before the reset is offered.
    second.agent.gestured(.panic)
    #expect(second.agent.hold.isHeld)
    second.agent.gestured(.letGo)
    #expect(!second.agent.hold.isHeld)
    second.pass(10)
    #expect(second.transport.opens == 1)
    second.runner.runAll()
    let third = try AgentBench(holdStore: store)
    #expect(third.agent.session.state == .online)
  }

  @Test("the press that begins panic does not end it")
  func beginsOnly() throws {
    let bench = try AgentBench()
    bench.agent.gestured(.panic)
    bench.agent.gestured(.letGo)
    #expect(bench.agent.hold.isHeld)
  }

  @Test("a press that goes on to a factory reset does not let the board go")
  func resetKeepsHold() throws {
    let bench = try AgentBench()
    bench.agent.gestured(.panic)
    bench.agent.gestured(.letGo)
    bench.agent.gestured(.panic)
    bench.agent.gestured(.offerReset)
    #expect(bench.agent.signals.first == .resetOffered)
    bench.agent.gestured(.withdrawReset)
    #expect(bench.agent.hold.isHeld)
    #expect(bench.agent.signals.first == .panic)
  }

  @Test("a record that makes no sense holds the board; without one it serves")
  func tornRecord() throws {
    let torn = MemoryStore()
    try [7].withUnsafeBufferPointer { try torn.save(("hold" as StaticString).path, $0) }
    let bench = try AgentBench(holdStore: torn, connects: false)
    #expect(bench.agent.hold.isHeld)
    #expect(!(try AgentBench().agent.hold.isHeld))
  }

  @Test("a flash that refuses is tried again until the hold is on it")
  func fullFlash() throws {
    let store = MemoryStore()
    let bench = try AgentBench(holdStore: store)
    store.failure = .system(.noSpace)
    bench.agent.gestured(.panic)
    bench.runner.runAll()
    #expect(bench.agent.hold.isHeld)
    #expect(store.saves == 0)
    // The first pause brings another failure, behind which the pause is twice as long.
    bench.pass(Budget.recordRetryMilliseconds.lowerBound)
    bench.runner.runAll()
    store.failure = nil
    bench.pass(Budget.recordRetryMilliseconds.lowerBound)
    bench.runner.runAll()
    #expect(store.saves == 0)
    bench.pass(Budget.recordRetryMilliseconds.lowerBound)
    bench.runner.runAll()
    #expect(store.saves == 1)
  }

  @Test("a hold that flash refused just before the end of the program is written before it ends")
  func refusedBeforeTheEnd() throws {
    let store = MemoryStore()
    let bench = try AgentBench(holdStore: store)
    store.failure = .system(.noSpace)
    bench.agent.gestured(.panic)
    bench.runner.runAll()
    bench.agent.stop()
    bench.runner.runAll()
    bench.pass(Budget.flushRetryMilliseconds)
    bench.runner.runAll()
    #expect(!bench.agent.isStopped)
    store.failure = nil
    bench.pass(Budget.flushRetryMilliseconds)
    bench.runner.runAll()
    #expect(store.saves == 1)
    // The connection has its time to end.
    bench.pass(5_000)
    #expect(bench.agent.isStopped)
    #expect(try AgentBench(holdStore: store, connects: false).agent.isHeld)
  }

  @Test("a flash that takes nothing does not hold up the end of the program for longer than its limit")
  func brokenFlash() throws {
    let store = MemoryStore()
    let bench = try AgentBench(holdStore: store)
    store.failure = .system(.noSpace)
    bench.agent.gestured(.panic)
    bench.runner.runAll()
    bench.agent.stop()
    for _ in 0..<Budget.flushMilliseconds / Budget.flushRetryMilliseconds {
      bench.runner.runAll()
      #expect(!bench.agent.isStopped)
      bench.pass(Budget.flushRetryMilliseconds)
    }
    bench.runner.runAll()
    #expect(bench.agent.isStopped)
  }

  @Test("a confirmed reset reaches whoever owns the agent, and once")
  func reset() throws {
    let bench = try AgentBench()
    let delegate = NotingOwner()
    bench.agent.delegate = delegate
    bench.agent.gestured(.offerReset)
    #expect(delegate.resets == 0)
    bench.agent.gestured(.confirmReset)
    #expect(delegate.resets == 1)
  }
}

private final class NotingOwner: AgentDelegate {
  var resets = 0
  func agentWantsReset() { resets += 1 }
  func agentWantsReload() -> Bool { false }
}

@Suite("What the light has to say")
struct LightSignalTests {
  @Test("it follows the connection, the camera and what the agent wants")
  func follows() throws {
    let bench = try AgentBench(policy: PanicTests.policy(idle: 60_000))
    #expect(bench.agent.signals.first == .connected)
    _ = try bench.invoke("1", "system.notify", params: #"{"title":"a","attention":"urgent"}"#)
    #expect(bench.agent.signals.first == .urgent)
    _ = try bench.invoke("2", "camera.snap", params: #"{"delayMs":0}"#)
    #expect(bench.agent.signals.first == .live)
    bench.passAlive(70_000)
    bench.agent.gestured(.acknowledge)
    #expect(bench.agent.signals.first == .connected)
    bench.gateway.send(bench.frame("3", "location.get", params: #"{"timeoutMs":20000}"#))
    #expect(bench.agent.signals.first == .working)
    bench.transport.fail(.init(.broken))
    #expect(bench.agent.signals.first == .gatewayUnreachable)
    bench.agent.hasNetwork = false
    #expect(bench.agent.signals.first == .noNetwork)
  }

  @Test("before the first attempt has ended the board is starting")
  func booting() throws {
    let bench = try AgentBench(connects: false)
    #expect(bench.agent.signals.first == .booting)
  }

  @Test("a receiver that was lost is a fault; a camera that is not plugged in is none")
  func faults() throws {
    let bench = try AgentBench()
    bench.camera.failure = .noDevice
    bench.agent.boardChanged(.cameras)
    bench.runner.runAll()
    #expect(bench.agent.signals.first == .connected)
    bench.receiver.lose()
    #expect(bench.agent.signals.first == .hardwareFault)
  }
}

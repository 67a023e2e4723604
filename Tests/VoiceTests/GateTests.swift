import Runtime
import Testing

@testable import Voice

@Suite struct GateTests {
  /// For each hop of a sound, whether the gate was open after it.
  private func open(_ gate: inout EnergyGate, _ samples: [Int16]) -> [Bool] {
    var result: [Bool] = []
    forEachHop(samples) { result.append(gate.update($0, count: MelFrontEnd.hop)) }
    return result
  }

  @Test func `zeros and a constant offset are silence`() {
    var gate = EnergyGate()
    #expect(open(&gate, Array(repeating: 0, count: 32_000)).allSatisfy { !$0 })
    #expect(open(&gate, Array(repeating: 9000, count: 32_000)).allSatisfy { !$0 })
  }

  @Test func `a fan that is switched on is part of the room after a while`() {
    var gate = EnergyGate()
    _ = open(&gate, noise(80_000, amplitude: 10))
    let hops = open(&gate, noise(160_000, amplitude: 600))
    #expect(hops[5])
    #expect(!hops.suffix(200).contains(true))
    #expect(gate.floor > 0.005)
  }

  @Test func `a voice over a fan opens it, and it closes after the voice`() {
    var gate = EnergyGate()
    _ = open(&gate, noise(160_000, amplitude: 200))
    #expect(open(&gate, noise(1600, amplitude: 2000)).contains(true))
    let after = open(&gate, noise(32_000, amplitude: 200))
    #expect(after[Budget.wakeHangHops / 2])
    #expect(!after.suffix(50).contains(true))
  }
}

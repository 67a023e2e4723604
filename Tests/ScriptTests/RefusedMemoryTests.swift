import CQuickJS
import Runtime
import Testing

/// Each allocation of the engine's may be refused: then the script ends, and the program goes on.
@Suite struct RefusedMemoryTests {
  /// Something of everything that the engine makes.
  private static let program = """
    let kept = []
    async function f(n) { if (n) await f(n - 1); return {then(a) { a(1) }} }
    async function* g() { yield 1; yield* [2, 3]; return 5 }
    for (let i = 0; i < 300; i++) {
      f(3)
      kept.push({a: i, b: 'x'.repeat(i), c: [i, i + 1], d: () => i, e: new Map([[i, {}]]), r: /a(b|c)*/u.exec('abcbc'),
        s: Symbol(i)})
      ;(async () => { for await (const x of g()) kept.push(x) })()
    }
    class A { #p = 1; static s() { return new A().#p } }
    A.s()
    let registry = new FinalizationRegistry(() => {})
    for (let i = 0; i < 50; i++) registry.register({}, 1)
    let big = 123456789012345678901234567890n
    for (let i = 0; i < 40; i++) big = big * big % (10n ** 300n)
    JSON.parse(JSON.stringify(kept.slice(0, 20).map(x => ({a: x.a}))))
    'abc'.normalize('NFKD')
    """

  /// What a program came to.
  private final class Told {
    var results = 0
    var failures: [String] = []
  }

  @Test("An evaluation that is refused memory has failed for that, or come to its end without", arguments: 0..<8)
  func refused(part: Int) throws {
    let heap = try ReservedBuffer(capacity: Int(Budget.scriptHeapBytes))
    let told = Told()
    let page: tl_script_page = { context, call, _ in
      let told = Unmanaged<Told>.fromOpaque(context!).takeUnretainedValue()
      guard let call = call?.pointee else { return }
      if call.what == Int32(TL_SCRIPT_RESULT) { told.results += 1 }
      if call.what == Int32(TL_SCRIPT_FAILURE) {
        told.failures.append(
          String(decoding: UnsafeBufferPointer(start: call.text, count: Int(call.length)), as: UTF8.self))
      }
    }
    let script = try #require(
      tl_script_create(
        heap.bytes.baseAddress, Int64(heap.bytes.count), 128 * 1024, page, Unmanaged.passUnretained(told).toOpaque()))
    defer { tl_script_destroy(script) }
    let bytes = Array(Self.program.utf8) + [0]
    var allocation = 1 + part * 7
    while allocation < 2800 {
      #expect(tl_script_begin(script, 100, 100, 1) >= 0)
      tl_script_refuse(script, Int64(allocation))
      #expect(tl_script_evaluate(script, bytes, Int64(bytes.count - 1), 8000) >= 0)
      #expect(tl_script_has_context(script) == told.failures.isEmpty)
      #expect(told.failures.allSatisfy { $0 == "InternalError: out of memory" }, "\(told.failures)")
      told.failures = []
      allocation += 56
    }
    tl_script_drop(script)
  }
}

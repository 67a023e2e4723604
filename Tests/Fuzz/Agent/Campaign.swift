import Glibc
import Runtime

@_silgen_name("fork") private func fork() -> CInt
#if TALON_SLICE
  /// Campaigns alone ask, and a slice plays none.
  private func allocatedBytes() -> Int { 0 }
#else
  @_silgen_name("__sanitizer_get_current_allocated_bytes") private func allocatedBytes() -> Int
#endif

/// Many messages from one seed, without libFuzzer: child processes play them, this one watches. When one dies, hangs or
/// breaks its word, the messages that made it do so are looked for, and written to a file from which they can be played
/// again.
struct Campaign {
  /// What the child says of itself, in memory that both see.
  private struct Progress {
    var index = 0
    var start = 0
    var isResting = false
  }

  /// Messages of one board's life, and between two rests.
  static let life = 20_000
  static let stretch = 1_000
  /// Rests until everything that is kept for later uses has been made, and bytes by which memory may differ after that.
  private static let warmUp = 12
  private static let slack = 1 << 20

  let seed: UInt64
  let messages: Int
  /// Seconds after which it ends before it has played them all; nil: never.
  let seconds: Double?
  let folder: String
  /// Findings after which it ends.
  let most: Int
  private let progress: UnsafeMutablePointer<Progress>

  init(seed: UInt64, messages: Int, seconds: Double?, folder: String, most: Int) {
    (self.seed, self.messages, self.seconds, self.folder, self.most) = (seed, messages, seconds, folder, most)
    let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)!
    progress = memory.bindMemory(to: Progress.self, capacity: 1)
    progress.initialize(to: Progress())
  }

  /// Exit code 0 when nothing was found.
  func run() -> CInt {
    let began = Self.now()
    var (found, start) = (0, 0)
    while start < messages, found < most {
      let log = "\(folder)/agent-\(seed).log"
      let index = start
      let end = watch(log) { play(from: index, until: seconds.map { began + $0 } ?? .infinity) }
      if end == 0 { break }
      found += 1
      report(log, found, after: Self.now() - began)
      start = progress.pointee.index + 1
    }
    let count = found < most ? progress.pointee.index + 1 : start
    let time = max(Self.now() - began, 0.001)
    print(
      "agent: seed \(seed): \(count) messages in \(Int(time)) s, \(Int(Double(count) / time)) per second, \(found) findings"
    )
    return found == 0 ? 0 : 1
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: The child

  private func play(from first: Int, until limit: Double) {
    var index = first
    while index < messages {
      progress.pointee.start = index
      let program = AgentProgram.make()
      var memory = 0
      let end = min(index + Self.life, messages)
      for message in index..<end {
        if message % 64 == 0, Self.now() > limit { return }
        progress.pointee.index = message
        program.step(Dice(seed: Dice.seed(seed, message)))
        guard message % Self.stretch == Self.stretch - 1 else { continue }
        progress.pointee.isResting = true
        program.rest()
        progress.pointee.isResting = false
        let bytes = allocatedBytes()
        let rests = (message - index) / Self.stretch
        if rests < Self.warmUp { memory = max(memory, bytes) }
        expect(
          rests < Self.warmUp || bytes <= memory + Self.slack,
          "it has grown: \(bytes) bytes, \(memory) after the warm-up")
      }
      index = end
    }
  }

  /// Plays these messages alone, and ends with a rest if they did.
  static func replay(_ seed: UInt64, _ list: [Int], rests: Bool, tells: Bool, _ began: (Int) -> Void = { _ in }) {
    let program = AgentProgram.make()
    // The next step may be the last one: nothing waits in a buffer.
    func show(_ line: String) {
      print(line)
      fflush(nil)
    }
    if tells { program.tell = { show("  \($0.prefix(4000))") } }
    for (place, message) in list.enumerated() {
      began(place)
      if tells { show("message \(message)") }
      program.step(Dice(seed: Dice.seed(seed, message)))
    }
    if rests { program.rest() }
  }

  // MARK: Watching

  /// Runs `body` in a child; 0, or how it ended. Who makes no progress for so many seconds hangs.
  private func watch(_ log: String, timeout: Int = 20, _ body: () -> Void) -> CInt {
    fflush(nil)
    let child = fork()
    if child == 0 {
      let file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      dup2(file, 2)
      dup2(file, 1)
      body()
      // Not _exit: who measures coverage writes it at the end.
      exit(0)
    }
    var (status, last, quiet): (CInt, Int, Int) = (0, -1, 0)
    while waitpid(child, &status, WNOHANG) == 0 {
      usleep(5_000)
      quiet = progress.pointee.index == last ? quiet + 1 : 0
      last = progress.pointee.index
      if quiet == timeout * 200 { kill(child, SIGABRT) }
    }
    return status
  }

  // MARK: Making it smaller

  private func fails(_ list: [Int]) -> Bool {
    let end = watch("/dev/null", timeout: 3) {
      Self.replay(seed, list, rests: progress.pointee.isResting, tells: false) { progress.pointee.index = $0 }
    }
    return end != 0
  }

  private func report(_ log: String, _ found: Int, after seconds: Double) {
    let at = progress.pointee
    print(
      "agent: finding \(found) after \(Int(seconds * 10)) tenths of a second, at message \(at.index) of seed \(seed)"
        + (at.isResting ? " (at rest)" : ""))
    for line in Self.lines(log).filter({ Self.isTelling($0) }).prefix(12) { print("    \(line)") }
    let list = smallest(at)
    progress.pointee.index = at.index
    defer { progress.pointee.isResting = false }
    guard let list else { return print("    it does not happen again with the messages since \(at.start)") }
    let names = list.map(String.init).joined(separator: ",")
    let place = "\(folder)/agent-\(seed)-\(at.index)"
    print(
      "    \(list.count) messages do it: board/fuzz messages \(seed) --replay \(names)\(at.isResting ? " --rest" : "")")
    _ = watch(place, timeout: 3) { Self.replay(seed, list, rests: at.isResting, tells: true) }
    print("    what they were: \(place)")
    for line in Self.lines(place).prefix(8) { print("    \(line.prefix(400))") }
  }

  /// The shortest list of messages that is easily found: a tail of all, and of that what is needed.
  private func smallest(_ at: Progress) -> [Int]? {
    progress.pointee.isResting = at.isResting
    var length = 1
    var list: [Int] = []
    while true {
      let count = min(length, at.index - at.start + 1)
      list = Array((at.index - count + 1)...at.index)
      if fails(list) { break }
      if count < length || count == at.index - at.start + 1 { return nil }
      length *= 8
    }
    var size = max(list.count / 2, 1)
    while list.count > 1 {
      var place = 0
      var isSmaller = false
      while place < list.count, list.count > 1 {
        let shorter = Array(list[..<place] + list[min(place + size, list.count)...])
        if !shorter.isEmpty, fails(shorter) {
          list = shorter
          isSmaller = true
        } else {
          place += size
        }
      }
      if size == 1, !isSmaller { break }
      size = max(size / 2, 1)
    }
    return list
  }

  private static func lines(_ path: String) -> [String] {
    String(decoding: readFile(path), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func isTelling(_ line: String) -> Bool {
    ["not true:", "ERROR:", "atal error", "runtime error:", "    #"].contains { line.contains($0) }
  }
}

extension String {
  fileprivate func contains(_ other: String) -> Bool {
    let (mine, wanted) = (Array(utf8), Array(other.utf8))
    guard mine.count >= wanted.count else { return false }
    return (0...(mine.count - wanted.count)).contains { mine[$0..<($0 + wanted.count)].elementsEqual(wanted) }
  }
}

/// Begins a campaign where the environment asks for one; the exit code then.
func campaign() -> CInt? {
  func word(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
  guard let seed = word("TALON_FUZZ_SEED").flatMap({ UInt64($0) }) else { return nil }
  if let list = word("TALON_FUZZ_REPLAY") {
    Campaign.replay(
      seed, list.split(separator: ",").compactMap { Int($0) }, rests: word("TALON_FUZZ_REST") != nil, tells: true)
    print("nothing happened")
    return 0
  }
  let messages = word("TALON_FUZZ_MESSAGES").flatMap { Int($0) } ?? 100_000
  let most = word("TALON_FUZZ_FINDINGS").flatMap { Int($0) } ?? 1
  let seconds = word("TALON_FUZZ_SECONDS").flatMap { Int($0) }.map { Double($0) }
  return Campaign(
    seed: seed, messages: messages, seconds: seconds, folder: word("TALON_FUZZ_FOLDER") ?? "/tmp", most: most
  ).run()
}

/// The whole program where nobody counts which ways it goes (`board/fuzz messages`): a campaign, or inputs of a target,
/// whose files are named.
@_cdecl("play_messages")
public func playMessages() -> CInt {
  readWords()
  if let code = campaign() { return code }
  let name = getenv("TALON_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = Target.all.first(where: { $0.name == name }) else { return 2 }
  for path in CommandLine.arguments.dropFirst() { target.check(readFile(path)) }
  return 0
}

/// What is in a file, up to a megabyte; nothing when there is none.
private func readFile(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var text: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while text.count < 1 << 20 {
    let count = fread(&buffer, 1, buffer.count, file)
    if count <= 0 { break }
    text += buffer[..<count]
  }
  return text
}

/// The names and words that `board/fuzz` found in Talon's sources, one a line.
func readWords() {
  guard let path = getenv("TALON_FUZZ_WORDS"), let file = fopen(path, "r") else { return }
  defer { fclose(file) }
  var words: [[UInt8]] = []
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, 256, file) != nil {
    let word = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
    if !word.isEmpty { words.append(word) }
  }
  if !words.isEmpty { Maker.words = words }
}

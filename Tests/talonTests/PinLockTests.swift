import Board
import Glibc
import Runtime
import TestSupport
import Testing

@testable import talon

@Suite("The PIN of consoles") struct PinLockTests {
  private let folder = TemporaryFolder()

  private func opens(_ lock: PinLock, _ text: String, at now: Int64) -> Bool {
    var text = text
    return text.withUTF8 { lock.opens($0, now: now) }
  }

  @Test("a wrong PIN costs a pause that doubles, to its bound; the right one ends them")
  func pauses() {
    let lock = PinLock(pin: "1234", folder: folder.path, now: 0)
    #expect(lock.opensAt == 0)
    var pauses: [Int64] = []
    var now: Int64 = 1_000_000
    for text in ["1235", "123", "12345", "", "0", "x", "y", "z", "a", "b", "c"] {
      #expect(!opens(lock, text, at: now))
      pauses.append(lock.opensAt - now)
      now = lock.opensAt
    }
    #expect(pauses == [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000])
    #expect(opens(lock, "1234", at: 5_000_000))
    #expect(!opens(lock, "1", at: 6_000_000))
    #expect(lock.opensAt == 6_001_000)
  }

  @Test("a restart makes no new beginning, and the pause of one console is that of all")
  func restart() {
    let first = PinLock(pin: "1234", folder: folder.path, now: 0)
    for now in [Int64(0), 1000, 3000, 7000] { #expect(!opens(first, "no", at: now)) }
    let second = PinLock(pin: "1234", folder: folder.path, now: 7500)
    #expect(second.opensAt == 15_500)
    #expect(!opens(second, "no", at: 16_000))
    #expect(second.opensAt == 32_000)
    // Neither a wrong one nor the right one is looked at before that, and neither is counted.
    #expect(!opens(first, "1234", at: 20_000))
    #expect(first.opensAt == 32_000)
    #expect(opens(first, "1234", at: 32_000))
    #expect(PinLock(pin: "1234", folder: folder.path, now: 0).opensAt == 0)
  }

  @Test("a pause goes on from its beginning when the board starts anew, whose clock begins at nothing")
  func reboot() {
    let before = PinLock(pin: "1234", folder: folder.path, now: 0)
    for now in [Int64(900_000), 901_000, 903_000] { #expect(!opens(before, "no", at: now)) }
    let after = PinLock(pin: "1234", folder: folder.path, now: 20_000)
    #expect(after.opensAt == 24_000)
    #expect(!opens(after, "1234", at: 23_999))
    #expect(opens(after, "1234", at: 24_000))
  }

  @Test("a try is on flash as a wrong one before it is looked at, so that cutting the power then gains nothing")
  func counted() {
    let folder = self.folder.path
    var pauses: [Int64] = []
    let lock = PinLock(folder: folder, now: 0) { _ in
      // What a console would find that starts in this moment.
      pauses.append(PinLock(pin: "1234", folder: folder, now: 0).opensAt)
      return pauses.count == 3
    }
    for now in [Int64(0), 10_000, 20_000] { #expect(opens(lock, "1234", at: now) == (now == 20_000)) }
    #expect(pauses == [1000, 2000, 4000])
    #expect(PinLock(pin: "1234", folder: folder, now: 0).opensAt == 0)
  }

  @Test("while one console looks at a PIN, another looks at none")
  func oneAtATime() throws {
    let lock = PinLock(pin: "1234", folder: folder.path, now: 0)
    let other = try FileLock(folder.path + "/console-lock")
    try other.take(milliseconds: 0)
    #expect(!opens(lock, "1234", at: 0))
    #expect(lock.opensAt == 1000)
    other.release()
    #expect(opens(lock, "1234", at: 1000))
  }

  @Test("what cannot be counted costs the longest pause; the right PIN opens all the same")
  func full() {
    // A folder in the place of the record: nothing can be written there, by root neither.
    mkdir(folder.path + "/console-pin.new", 0o700)
    let lock = PinLock(pin: "1234", folder: folder.path, now: 0)
    #expect(!opens(lock, "no", at: 0))
    #expect(lock.opensAt == 300_000)
    #expect(opens(lock, "1234", at: 300_000))
  }

  @Test("without the folder a PIN works all the same, and makes none")
  func noFolder() {
    let missing = folder.path + "/missing"
    let lock = PinLock(pin: "1234", folder: missing, now: 0)
    #expect(!opens(lock, "no", at: 0))
    #expect(lock.opensAt == 1000 && access(missing, F_OK) != 0)
    #expect(opens(lock, "1234", at: 2000))
  }

  @Test(
    "root's consoles count where the agent's user has no right, in a folder that all of them share",
    .enabled(if: geteuid() == 0))
  func rootsFolder() throws {
    let setups = try ["a", "b"].map {
      try ConsoleSetup(path: folder.put("\($0).conf", "[node]\nstate_directory = /tmp/\($0)\n[console]\npin = 1234\n"))
    }
    #expect(setups.allSatisfy { $0.pinFolder == PinLock.folder && $0.pinFolder != $0.stateDirectory })
  }

  @Test("a hash opens for its PIN and no other, and says nothing of it")
  func hash() throws {
    let hash = try #require(PasswordHash(Array("1234".utf8), random: SystemRandom()))
    #expect(hash.text.hasPrefix("$scrypt$ln=13,r=8,p=1$") && !hash.text.contains("1234"))
    #expect(PasswordHash(text: hash.text) == hash)
    #expect(PasswordHash(Array("1234".utf8), random: SystemRandom())?.text != hash.text)
    #expect(complaint("[console]\npin = \(hash.text)") == nil)
    let lock = PinLock(pin: hash.text, folder: folder.path, now: 0)
    #expect(!opens(lock, hash.text, at: 0))
    #expect(!opens(lock, "1235", at: 10_000))
    #expect(opens(lock, "1234", at: 20_000))
    let setup = try ConsoleSetup(path: folder.put("hash.conf", "[console]\npin = \(hash.text)\n"))
    #expect(setup.pin == hash.text)
  }

  @Test("a PIN in clear is told of, a hash and a file of its own are not")
  func pinNote() {
    var settings = ConsoleSettings()
    #expect(ConfigCommand.note(settings) == nil)
    settings.pin = "1234"
    #expect(ConfigCommand.note(settings) != nil)
    settings.pinFile = "/etc/talon/pin"
    #expect(ConfigCommand.note(settings) == nil)
    (settings.pinFile, settings.pin) = ("", "$scrypt$ln=13,r=8,p=1$a$b")
    #expect(ConfigCommand.note(settings) == nil)
  }
}

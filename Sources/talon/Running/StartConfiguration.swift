import Gateway
import Runtime

/// The configuration of one start of the agent: of its file, read once; where that is wrong or gone, the one with which
/// the agent last served. A board in a field shall not be lost by a mistake in a file.
final class StartConfiguration {
  let configuration: Configuration
  /// What the file holds; nil where the last one is used.
  let text: [UInt8]?
  /// Why the file is not used; empty when it is.
  let trouble: String

  private init(_ configuration: Configuration, text: [UInt8]?, trouble: String = "") {
    self.configuration = configuration
    self.text = text
    self.trouble = trouble
  }

  /// Reads the file, or the last configuration; throws what is wrong with the file where there is none.
  /// - Parameter prepare: called before root becomes the owner of the last one's folder.
  static func read(_ path: String, prepare: () -> Void = {}) throws(Failure) -> StartConfiguration {
    var text: [UInt8] = []
    var problem = ConfigurationError(file: path, reason: "is not there")
    var isMissing = false
    do throws(ConfigurationError) {
      text = try ConfigurationFile.text(path)
      isMissing = text.isEmpty && !isThere(path)
      let configuration = try ConfigurationFile.checked(text, file: path)
      if !isMissing { return StartConfiguration(configuration, text: text) }
    } catch {
      problem = error
    }
    // An empty one does not tell of a file that is gone.
    let least = isMissing ? 1 : 0
    if let found = try last(text, path, problem.text, least, prepare) { return found }
    // Nobody has configured this board.
    if isMissing { return StartConfiguration(Configuration(), text: text) }
    // By the second code a service manager sees that the file has a mistake.
    throw Failure(problem.isTransient ? .temporary : .configuration, problem.report)
  }

  /// The last configuration, if there is one of at least so many bytes.
  private static func last(
    _ text: [UInt8], _ path: String, _ reason: String, _ least: Int, _ prepare: () -> Void
  ) throws(Failure) -> StartConfiguration? {
    for folder in folders(text) where LastConfiguration.isThere(folder) {
      prepare()
      // The agent's user may have written it: it counts with that user's rights.
      try ConfigCommand.become(ownerOnTheWayTo: [folder + "/configuration"])
      guard let bytes = LastConfiguration.load(folder), bytes.count >= least else { continue }
      do throws(ConfigurationError) {
        let configuration = try ConfigurationFile.checked(bytes, file: path)
        return StartConfiguration(configuration, text: nil, trouble: reason)
      } catch {}
    }
    return nil
  }

  /// Where the last one may be, the newest first, by what the text says of folders.
  static func folders(_ text: [UInt8]) -> [String] {
    let usual = Configuration()
    let named = [value("runtime_directory", text), value("state_directory", text)]
    let places = [named[0] ?? usual.runtimeDirectory, named[1] ?? usual.stateDirectory]
    return places + (named[0] == nil && named[1] == nil ? [] : [usual.runtimeDirectory, usual.stateDirectory])
  }

  /// The absolute path of a key of `[node]` in a text that may be wrong elsewhere.
  static func value(_ key: String, _ text: [UInt8]) -> String? {
    for line in ConfigCommand.shown(text, section: "node") {
      guard let (name, value) = ConfigurationFile.pair(line), name == key, value.hasPrefix("/") else { continue }
      return value
    }
    return nil
  }

  private static func isThere(_ path: String) -> Bool {
    do throws(Errno) {
      _ = try Syscall.status(Path(path))
      return true
    } catch {
      return error != .noSuchFile
    }
  }
}

/// The text of the configuration with which the agent last served: the record `configuration` in the state folder, or,
/// where flash cannot be written, in the runtime folder.
enum LastConfiguration {
  private static let record: StaticString = "configuration"

  /// True when a folder has one, whole or not.
  static func isThere(_ folder: String) -> Bool {
    for name in ["/configuration", "/configuration.old"] {
      if (try? Syscall.linkStatus(Path(folder + name))) != nil { return true }
    }
    return false
  }

  /// Nil where there is none that can be read.
  static func load(_ folder: String) -> [UInt8]? {
    let buffer = FixedBuffer(capacity: Budget.configurationBytes)
    do throws(StoreError) {
      let store = try FileStore(folder: folder, recordBytes: Budget.configurationBytes)
      guard let found = try store.load(record.path, into: buffer.bytes) else { return nil }
      return Array(buffer.bytes[..<found.count])
    } catch {
      return nil
    }
  }

  /// Stores a text, if it is another one; nil when it is on flash.
  static func save(_ text: [UInt8], state: String, runtime: String) -> StoreError? {
    if isThere(state), load(state) == text {
      forget(runtime)
      return nil
    }
    var failure: StoreError?
    for folder in [state, runtime] {
      do throws(StoreError) {
        let store = try FileStore(folder: folder, recordBytes: Budget.configurationBytes)
        try text.withStoreBytes { (bytes) throws(StoreError) in try store.save(record.path, bytes) }
        if folder == state { forget(runtime) }
        return failure
      } catch {
        if failure == nil { failure = error }
      }
    }
    return failure
  }

  /// Removes the one in the runtime folder, which would count as the newest.
  static func forget(_ runtime: String) {
    for name in ["/configuration", "/configuration.old"] {
      do throws(Errno) { try Syscall.unlink(Path(runtime + name)) } catch {}
    }
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes; the standard library's function does not throw typed errors.
  fileprivate func withStoreBytes(_ body: (UnsafeBufferPointer<UInt8>) throws(StoreError) -> Void) throws(StoreError) {
    var failure: StoreError?
    withUnsafeBufferPointer { bytes in
      do throws(StoreError) { try body(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

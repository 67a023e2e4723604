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
  /// True for a text that the run before has checked: the file may hold another one by now.
  let isHandedOver: Bool

  private init(_ configuration: Configuration, text: [UInt8]?, trouble: String = "", isHandedOver: Bool = false) {
    self.configuration = configuration
    self.text = text
    self.trouble = trouble
    self.isHandedOver = isHandedOver
  }

  /// Reads the file, or the last configuration; throws what is wrong with the file where there is none.
  /// - Parameters:
  ///   - checked: the folder where a run that starts over has put the text that it has checked; nil at other starts.
  ///     Between its check and this start the file may have been cut or emptied by whoever writes it.
  ///   - usual: the settings of a board that nobody has configured; the last one may be in its folders.
  ///   - prepare: called before root becomes the owner of the last one's folder.
  static func read(
    _ path: String, checked: String? = nil, usual: Configuration = Configuration(), prepare: () -> Void = {}
  ) throws(Failure) -> StartConfiguration {
    if let checked, let found = try handedOver(checked, path) { return found }
    var text: [UInt8] = []
    var problem: ConfigurationError?
    do throws(ConfigurationError) {
      text = try ConfigurationFile.text(path)
      let configuration = try ConfigurationFile.checked(text, file: path)
      if !text.isEmpty { return StartConfiguration(configuration, text: text) }
    } catch {
      problem = error
    }
    // After a power cut, or while somebody writes it, a file can be empty: that does not mean the usual settings where
    // the agent has served with others. An empty last one is no reason to complain.
    let least = problem == nil ? 1 : 0
    let trouble = problem ?? ConfigurationError(file: path, reason: isThere(path) ? "is empty" : "is not there")
    if let found = try last(folders(text, usual), path, trouble.text, least, prepare) { return found }
    // Nobody has configured this board.
    guard let problem else { return StartConfiguration(usual, text: text) }
    // By the second code a service manager sees that the file has a mistake.
    throw Failure(problem.isTransient ? .temporary : .configuration, problem.report)
  }

  /// The text that the run before has checked, if the folder has it still.
  private static func handedOver(_ folder: String, _ path: String) throws(Failure) -> StartConfiguration? {
    // As for the last one: it counts with the rights of who may have written it.
    try ConfigCommand.become(ownerOnTheWayTo: [folder + "/configuration"])
    guard let text = LastConfiguration.load(folder) else { return nil }
    do throws(ConfigurationError) {
      return StartConfiguration(try ConfigurationFile.checked(text, file: path), text: text, isHandedOver: true)
    } catch {
      return nil
    }
  }

  /// The last configuration, if there is one of at least so many bytes.
  private static func last(
    _ folders: [String], _ path: String, _ reason: String, _ least: Int, _ prepare: () -> Void
  ) throws(Failure) -> StartConfiguration? {
    for folder in folders where LastConfiguration.isThere(folder) {
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
  static func folders(_ text: [UInt8], _ usual: Configuration = Configuration()) -> [String] {
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

  /// The folder that has this text: the runtime folder first, for what is there is the newest.
  static func folder(of text: [UInt8], state: String, runtime: String) -> String? {
    for folder in [runtime, state] where isThere(folder) && load(folder) == text { return folder }
    return nil
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

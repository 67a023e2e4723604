import Runtime

/// Deletes the files of the track at start, when the configuration has no `[location] track`: an owner who has removed
/// the key keeps no record.
enum TrackFiles {
  /// What a record and its other generations end in.
  private static let suffixes = ["", ".old", ".new", ".newer"]

  /// Deletes them in the state folder. One that cannot be deleted is told.
  static func remove(from folder: String, _ log: Log) {
    var deleted = 0
    for page in 0..<Budget.trackPages {
      for suffix in suffixes {
        do throws(Errno) {
          try Syscall.unlink(try Path("\(folder)/track\(page / 10)\(page % 10)\(suffix)"))
          deleted += 1
        } catch {
          if error == .noSuchFile { continue }
          log.write(.warning, "location") { line in
            line.add("a file of the track that is kept no more cannot be deleted: ")
            line.add(error)
          }
        }
      }
    }
    if deleted > 0 { log.write(.notice, "location", "the track that was kept before is deleted") }
  }
}

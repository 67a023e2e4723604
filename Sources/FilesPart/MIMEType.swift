import Codec
import Runtime

/// Types of files by the endings of their names: those that an agent can do something with.
enum MIMEType {
  private struct Row: Sendable {
    let ending: StaticString
    let type: StaticString
  }

  /// What is in no row.
  static let unknown: StaticString = "application/octet-stream"
  /// A folder (node-commands 4.13).
  static let folder: StaticString = "inode/directory"

  private static let rows: [Row] = [
    Row(ending: "txt", type: "text/plain"), Row(ending: "log", type: "text/plain"),
    Row(ending: "conf", type: "text/plain"), Row(ending: "ini", type: "text/plain"),
    Row(ending: "md", type: "text/markdown"), Row(ending: "csv", type: "text/csv"),
    Row(ending: "tsv", type: "text/tab-separated-values"), Row(ending: "html", type: "text/html"),
    Row(ending: "htm", type: "text/html"), Row(ending: "css", type: "text/css"),
    Row(ending: "xml", type: "application/xml"), Row(ending: "json", type: "application/json"),
    Row(ending: "jsonl", type: "application/jsonl"), Row(ending: "yaml", type: "application/yaml"),
    Row(ending: "yml", type: "application/yaml"), Row(ending: "toml", type: "application/toml"),
    Row(ending: "js", type: "text/javascript"), Row(ending: "py", type: "text/x-python"),
    Row(ending: "sh", type: "text/x-shellscript"), Row(ending: "pdf", type: "application/pdf"),
    Row(ending: "jpg", type: "image/jpeg"), Row(ending: "jpeg", type: "image/jpeg"),
    Row(ending: "png", type: "image/png"), Row(ending: "gif", type: "image/gif"),
    Row(ending: "webp", type: "image/webp"), Row(ending: "svg", type: "image/svg+xml"),
    Row(ending: "wav", type: "audio/wav"), Row(ending: "mp3", type: "audio/mpeg"),
    Row(ending: "ogg", type: "audio/ogg"), Row(ending: "flac", type: "audio/flac"),
    Row(ending: "mp4", type: "video/mp4"), Row(ending: "webm", type: "video/webm"),
    Row(ending: "zip", type: "application/zip"), Row(ending: "gz", type: "application/gzip"),
    Row(ending: "tar", type: "application/x-tar"), Row(ending: "ics", type: "text/calendar"),
    Row(ending: "gpx", type: "application/gpx+xml"), Row(ending: "sqlite", type: "application/vnd.sqlite3"),
    Row(ending: "db", type: "application/vnd.sqlite3"),
  ]

  /// The type of a regular file of this name.
  static func of(_ name: UnsafeBufferPointer<UInt8>) -> StaticString {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return unknown }
    for row in rows where matches(name, from: dot + 1, row.ending) { return row.type }
    return unknown
  }

  private static func matches(_ name: UnsafeBufferPointer<UInt8>, from start: Int, _ ending: StaticString) -> Bool {
    guard name.count - start == ending.utf8CodeUnitCount else { return false }
    for index in 0..<ending.utf8CodeUnitCount where name[start + index].asciiLowercased != ending.utf8Start[index] {
      return false
    }
    return true
  }

  /// The type of whatever has this status.
  static func of(_ status: Syscall.Status, _ name: UnsafeBufferPointer<UInt8>) -> StaticString {
    if status.isFolder { return folder }
    if status.isPlain { return of(name) }
    if status.isLink { return "inode/symlink" }
    if status.isPipe { return "inode/fifo" }
    return status.isSocket ? "inode/socket" : "inode/device"
  }
}

import Codec
import Runtime
import Testing

@testable import FilesPart

@Suite("Paths of requests") struct FilePathTests {
  private func read(_ text: String) -> String {
    let path = FilePath()
    let bytes = Array(text.utf8)
    do throws(FileFault) { try path.set(bytes.span) } catch { return error.code.name.description }
    return String(decoding: path.bytes, as: UTF8.self)
  }

  @Test(
    "have one form, and no way up",
    arguments: [
      ("/srv/share/a", "/srv/share/a"), ("/srv//share/./a/", "/srv/share/a"), ("/", "/"), ("//", "/"), ("/.", "/"),
      ("/.hidden", "/.hidden"), ("/..a", "/..a"), ("/a...", "/a..."), ("/...", "/..."), ("/\u{e9}", "/\u{e9}"),
      ("", "INVALID_PATH"), ("a", "INVALID_PATH"), ("./a", "INVALID_PATH"), ("~/a", "INVALID_PATH"),
      ("/a\0b", "INVALID_PATH"), ("/..", "PATH_TRAVERSAL"), ("/srv/share/..", "PATH_TRAVERSAL"),
      ("/srv/share/../share/a", "PATH_TRAVERSAL"), ("/srv/./../etc", "PATH_TRAVERSAL"),
    ] as [(String, String)])
  func forms(text: String, form: String) { #expect(read(text) == form) }

  @Test("names and paths have the lengths that the budget gives")
  func lengths() {
    let name = String(repeating: "n", count: Budget.fileNameBytes)
    #expect(read("/" + name) == "/" + name)
    #expect(read("/" + name + "n") == "INVALID_PATH")
    let long = String(repeating: "/abc", count: Budget.filePathBytes / 4)
    #expect(read(long) == long && read(long + "d") == "INVALID_PATH")
  }

  @Test("JSON strings are read without their escapes, and nothing else is a path")
  func json() {
    for (text, expected) in [
      (#""\/srv\/a""#, "/srv/a"), (#""\u002fsrv\u002f..""#, "PATH_TRAVERSAL"), (#""/a\u0000b""#, "INVALID_PATH"),
      ("1", "INVALID_PATH"), ("null", "INVALID_PATH"), ("[\"/a\"]", "INVALID_PATH"), (#""""#, "INVALID_PATH"),
    ] {
      let path = FilePath()
      let bytes = Array(text.utf8)
      var found = ""
      do throws(FileFault) {
        try path.read(JSONView(bytes.span))
        found = String(decoding: path.bytes, as: UTF8.self)
      } catch {
        found = error.code.name.description
      }
      #expect(found == expected, "\(text)")
    }
  }

  @Test("the innermost shared folder has a path, by whole names")
  func folders() {
    let folders = SharedFolders(
      [
        SharedFolder("/srv", isWritable: false), SharedFolder("/srv/share", isWritable: true),
        SharedFolder("/data/a", isWritable: false),
      ], stateFolder: "/var/lib/talon")
    for (path, expected) in [
      ("/srv", 0), ("/srv/x", 0), ("/srv/share", 1), ("/srv/share/x/y", 1), ("/srv/shared", 0), ("/srvx", nil),
      ("/data", nil), ("/data/a", 2), ("/data/ab", nil), ("/", nil), ("/etc/passwd", nil),
    ] as [(String, Int?)] {
      let bytes = Array(path.utf8)
      #expect(folders.folder(of: bytes.span) == expected, "\(path)")
    }
    #expect(folders.areWritable)
  }

  @Test(
    "folders that are never shared are told with the reason",
    arguments: [
      ("/", "may not be / itself"), ("/proc", "/proc belongs to the system"), ("/sys/class", "/sys belongs"),
      ("/dev", "/dev belongs"), ("/etc/talon", "/etc belongs"), ("/run/talon", "/run belongs"),
      ("/var/lib/talon", "Talon's keys are in"), ("/var/lib", "Talon's keys are in"), ("/var", "Talon's keys are in"),
      ("/var/lib/talon/photos", "of which inbox alone"), ("/var/lib/talon/inbox/a", "of which inbox alone"),
      ("/srv/share", nil), ("/var/lib/talon/inbox", nil), ("/var/lib/talonx", nil), ("/etcetera", nil),
    ] as [(String, String?)])
  func never(path: String, reason: String?) {
    let complaint = SharedFolders.complaint(SharedFolder(path, isWritable: true), stateFolder: "/var/lib/talon")
    if let reason { #expect(complaint?.contains(reason) == true) } else { #expect(complaint == nil) }
  }

  @Test("types come from the endings of names")
  func types() {
    let unknown = "application/octet-stream"
    for (name, type) in [
      ("a.txt", "text/plain"), ("A.JPG", "image/jpeg"), ("a.tar.gz", "application/gzip"), (".txt", unknown),
      ("txt", unknown), ("a.", unknown), ("a.unknown", unknown), ("", unknown),
    ] {
      #expect(name.withBytes { MIMEType.of($0).description } == type, "\(name)")
    }
  }
}

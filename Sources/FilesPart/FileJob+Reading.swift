import Codec
import Runtime

/// `file.fetch`, `file.stat` and `dir.list`.
extension FileJob {
  func fetch() throws(FileFault) {
    if isTop { throw FileFault(.isDirectory, "it is a folder: dir.list lists it") }
    let folder = try openParent()
    defer { folder.close() }
    let status = try look(in: folder)
    try checkContent(status)
    type = MIMEType.of(status, lastName)
    (size, modified) = (status.size, status.modified)
    if request.isPreflight { return }
    let file: Descriptor
    do throws(Errno) {
      file = try Syscall.openBeneath(walk.name, in: folder, [.read, .nonBlocking, .noControllingTerminal])
    } catch {
      throw FileFault.onTheWay(error)
    }
    defer { file.close() }
    try checkAgain(file)
    try read(file)
    size = Int64(count)
    setDigest(UnsafeMutableBufferPointer(rebasing: outgoing.bytes[..<count]))
  }

  private var lastName: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: request.path.bytes[request.path.lastName...])
  }

  /// Throws for what is no regular file, and for one that is too large.
  private func checkContent(_ status: Syscall.Status) throws(FileFault) {
    if status.isFolder { throw FileFault(.isDirectory, "it is a folder: dir.list lists it") }
    guard status.isPlain else {
      throw FileFault(.readError, "it is no file: pipes, sockets and devices are not read")
    }
    guard status.size <= request.limit else {
      throw FileFault(.tooLarge, "the file is too large, in bytes", status.size, request.limit)
    }
  }

  /// It may be another file by now.
  private func checkAgain(_ file: Descriptor) throws(FileFault) {
    let status: Syscall.Status
    do throws(Errno) { status = try Syscall.status(file) } catch { throw FileFault.onTheWay(error) }
    try checkContent(status)
  }

  /// Reads to the end, which may come later or sooner than the status said.
  private func read(_ file: Descriptor) throws(FileFault) {
    let limit = Int(min(request.limit, Int64(Budget.fileBytes)))
    while true {
      try check()
      let step = min(Budget.fileStepBytes, limit + 1 - count)
      let memory = UnsafeMutableRawBufferPointer(outgoing.bytes)
      let room = UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + step])
      let length: Int
      do throws(Errno) { length = try Syscall.read(file, into: room) } catch {
        throw FileFault(.readError, "the file cannot be read", error)
      }
      if length == 0 { return }
      count += length
      guard count <= limit else {
        throw FileFault(.tooLarge, "the file is too large, and grows, in bytes", Int64(count), Int64(limit))
      }
    }
  }

  func stat() throws(FileFault) {
    let status: Syscall.Status
    if isTop {
      let folder = try walk.open(request.folder, request.path, to: request.path.count)
      defer { folder.close() }
      do throws(Errno) { status = try Syscall.status(folder) } catch { throw FileFault.onTheWay(error) }
    } else {
      let folder = try openParent()
      defer { folder.close() }
      status = try look(in: folder)
      if walk.isState(status) {
        throw FileFault(.permissionDenied, "that folder has the board's keys, and is never shared")
      }
    }
    (isFolder, modified) = (status.isFolder, status.modified)
    size = status.isPlain ? status.size : 0
    type = MIMEType.of(status, lastName)
  }

  // MARK: Lists

  func list() throws(FileFault) {
    let folder = try walk.open(request.folder, request.path, to: request.path.count)
    defer { folder.close() }
    let table = try names(of: folder)
    table.sort()
    let room = min(Budget.listBytes, Int(request.limit))
    var writer = JSONWriter(into: UnsafeMutableBufferPointer(rebasing: outgoing.bytes[..<room]))
    writer.beginObject()
    writer.key("ok")
    writer.bool(true)
    writer.key("path")
    writer.string(Span(_unsafeElements: request.path.bytes))
    writer.key("entries")
    writer.beginArray()
    var place = Int(min(request.offset, Int64(table.count)))
    let end = Int(min(Int64(place) + request.entries, Int64(table.count)))
    while place < end {
      try check()
      guard writeEntry(table.name(place), in: folder, room: room, to: &writer) else { break }
      place += 1
    }
    writer.endArray()
    if place < table.count {
      writer.key("nextPageToken")
      writeToken(place, to: &writer)
    }
    writer.key("truncated")
    writer.bool(place < table.count || table.isFull)
    writer.endObject()
    guard writer.isComplete else {
      throw FileFault(.readError, "the gateway's messages are too small for a list")
    }
    count = writer.count
  }

  private func names(of folder: Descriptor) throws(FileFault) -> NameTable {
    let memory = UnsafeMutableRawBufferPointer(outgoing.bytes)
    let index = Budget.listBytes + Budget.listedNameBytes
    let scratch = index + 4 * Budget.listedNames
    var table = NameTable(
      names: UnsafeMutableBufferPointer(rebasing: outgoing.bytes[Budget.listBytes..<index]),
      index: UnsafeMutableRawBufferPointer(rebasing: memory[index..<scratch]))
    let buffer = UnsafeMutableRawBufferPointer(rebasing: memory[scratch..<scratch + Budget.fileStepBytes])
    do throws(Errno) {
      try walk.setName(("." as StaticString).bytes)
      let opened = try Syscall.openBeneath(walk.name, in: folder, [.read, .directory])
      defer { opened.close() }
      let cancellation = cancellation
      try Syscall.names(in: opened, scratch: buffer) { name in
        Self.isOwn(name) || table.add(name) && !cancellation.isRequested
      }
    } catch {
      throw FileFault.onTheWay(error)
    }
    return table
  }

  /// False when there is no room for one more entry.
  private func writeEntry(
    _ name: UnsafeBufferPointer<UInt8>, in folder: Descriptor, room: Int, to writer: inout JSONWriter
  ) -> Bool {
    let status: Syscall.Status
    do throws(Errno) {
      try walk.setName(name)
      status = try Syscall.linkStatus(walk.name, in: folder)
    } catch {
      // It has gone since.
      return true
    }
    if walk.isState(status) { return true }
    var measure = JSONWriter()
    write(name, status, to: &measure)
    // What follows the entries: the token, and the brackets.
    guard writer.count + measure.count + Self.listEndBytes <= room else { return false }
    write(name, status, to: &writer)
    return true
  }

  private static var listEndBytes: Int { 96 }

  private func write(_ name: UnsafeBufferPointer<UInt8>, _ status: Syscall.Status, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(Span(_unsafeElements: name))
    writer.key("path")
    writer.beginString()
    let path = request.path.bytes
    writer.stringPiece(Span(_unsafeElements: path))
    if path.count > 1 { writer.stringPiece(("/" as StaticString).utf8Bytes) }
    writer.stringPiece(Span(_unsafeElements: name))
    writer.endString()
    writer.key("size")
    writer.int(status.isPlain ? status.size : 0)
    writer.key("mimeType")
    writer.string(MIMEType.of(status, name))
    writer.key("isDir")
    writer.bool(status.isFolder)
    writer.key("mtime")
    writer.int(status.modified)
    writer.endObject()
  }

  private func writeToken(_ place: Int, to writer: inout JSONWriter) {
    var text = InlineText<20>()
    text.fill { bytes in
      var line = ByteWriter(into: bytes)
      line.decimal(Int64(place))
      return line.count
    }
    writer.string(text.span)
  }
}

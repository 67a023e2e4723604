import Codec
import Gateway
import Node
import Runtime

/// Gets the end of a call.
protocol FileJobDelegate: AnyObject {
  func fileJobEnded()
}

/// The work of one call at a time, by a worker: reading is in `FileJob+Reading`, writing in `FileJob+Writing`.
final class FileJob: Job {
  let folders: SharedFolders
  let cryptography: any Cryptography
  let walk: FolderWalk
  /// A file that is read, or a list with what it is made of.
  let outgoing: ReservedBuffer
  /// Base64 of what is written, then what it means; nil where nothing may be written.
  let incoming: ReservedBuffer?
  let cancellation = Cancellation()
  /// What is asked for, while it is pending.
  private(set) var request: FileRequest
  unowned(unsafe) var delegate: (any FileJobDelegate)?

  // MARK: What was found

  /// Why it failed; nil: it did not.
  private(set) var fault: FileFault?
  /// Bytes of the answer in `outgoing`.
  var count = 0
  var size: Int64 = 0
  var modified: Int64 = 0
  var isFolder = false
  var type: StaticString = ""
  var digest = InlineText<64>()
  var hasOverwritten = false

  /// Takes the address space for contents.
  init(_ folders: SharedFolders, _ cryptography: any Cryptography, first: FileRequest) throws(Errno) {
    self.folders = folders
    self.cryptography = cryptography
    request = first
    walk = try FolderWalk(folders)
    outgoing = try ReservedBuffer(capacity: Budget.fileBytes + Budget.fileStepBytes)
    incoming = folders.areWritable ? try ReservedBuffer(capacity: Budget.fileTextBytes) : nil
  }

  /// What is done next. Not while pending.
  func prepare(_ request: FileRequest) {
    self.request = request
    cancellation.reset()
    (fault, count, size, modified, isFolder, type, hasOverwritten) = (nil, 0, 0, 0, false, "", false)
    digest.clear()
  }

  override func run() {
    do throws(FileFault) {
      switch request.command {
      case .fetch: try fetch()
      case .list: try list()
      case .stat: try stat()
      case .write, .create: try write()
      }
    } catch {
      fault = error
    }
  }

  override func finish() { delegate?.fileJobEnded() }

  /// Throws when nobody waits any more.
  func check() throws(FileFault) { if cancellation.isRequested { throw .cancelled } }

  /// True when the path is a shared folder itself.
  var isTop: Bool { request.path.count == folders.folders[request.folder].path.utf8.count }

  /// Opens the folder of the file, and leaves the file's name in the walk.
  func openParent(makes: Bool = false) throws(FileFault) -> Descriptor {
    let folder: Descriptor
    do throws(FileFault) {
      folder = try walk.open(request.folder, request.path, to: request.path.lastName, makes: makes)
    } catch {
      guard request.command.writes, error.code == .notFound else { throw error }
      let isWanted = request.makesParents || isTop
      throw FileFault(
        .parentNotFound, isWanted ? error.text : "there is no such folder, and createParents is not true")
    }
    do throws(FileFault) { try walk.setLastName(of: request.path) } catch {
      folder.close()
      throw error
    }
    return folder
  }

  /// The status of the file of that name, itself no link.
  func look(in folder: Descriptor) throws(FileFault) -> Syscall.Status {
    let status: Syscall.Status
    do throws(Errno) { status = try Syscall.linkStatus(walk.name, in: folder) } catch {
      throw FileFault.onTheWay(error)
    }
    if status.isLink {
      throw FileFault(.symlink, "it is a symbolic link, and Talon follows none: use the path that it points to")
    }
    return status
  }

  /// Sets the digest of content.
  func setDigest(_ content: UnsafeMutableBufferPointer<UInt8>) {
    let sum = cryptography.sha256(Span(_unsafeElements: UnsafeBufferPointer(content)))
    digest.fill { Hex.encode(sum.span, into: $0) }
  }
}

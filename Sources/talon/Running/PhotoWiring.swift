import Board
import Camera
import CameraPart
import Runtime

/// Where photos are kept: the folder `photos` of the state folder.
struct PhotoWiring {
  let configuration: Configuration
  let log: Log

  /// What keeping needs; nil where nothing is kept. What an earlier configuration kept is deleted then.
  func board() throws(Errno) -> PhotosBoard? {
    let files = try PhotoFolder(folder: configuration.stateDirectory + "/photos")
    guard configuration.photos.bytes > 0 else {
      deleteAll(files)
      return nil
    }
    return PhotosBoard(files: files, codec: try TurboJPEG(), keeping: configuration.photos)
  }

  private func deleteAll(_ files: PhotoFolder) {
    do throws(Errno) {
      let count = try files.removeAll()
      guard count > 0 else { return }
      log.write(.notice, "photos") { line in
        line.add("photos that were kept are deleted, because keep in [photos] is none: ")
        line.add(Int64(count))
      }
    } catch {
      log.write(.warning, "photos") { line in
        line.add("photos that were kept cannot be deleted: ")
        line.add(error)
      }
    }
  }
}

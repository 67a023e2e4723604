/// One component of a picture in a separate plane.
public struct Plane {
  /// The first sample.
  public let base: UnsafeMutablePointer<UInt8>
  /// Samples across and down, without padding.
  public let width, height: Int
  /// Bytes from one row to the next: `width`, rounded up to what the encoder needs.
  public let rowBytes: Int

  /// Repeats the last sample of each row in the padding, which the encoder reads too.
  func padRows() {
    guard rowBytes > width else { return }
    for y in 0..<height {
      let row = base + y * rowBytes
      for x in width..<rowBytes { row[x] = row[width - 1] }
    }
  }

  /// The plane for reading.
  var grid: SampleGrid {
    SampleGrid(base: UnsafePointer(base), step: 1, rowBytes: rowBytes, width: width, height: height)
  }
}

/// Chroma subsampling.
public enum ChromaLayout: CaseIterable, Sendable {
  case gray, full, halfWidth, quarter, halfHeight, quarterWidth

  /// Luma samples across and down for each chroma sample.
  public var ratio: (across: Int, down: Int) {
    switch self {
    case .gray, .full: (1, 1)
    case .halfWidth: (2, 1)
    case .quarter: (2, 2)
    case .halfHeight: (1, 2)
    case .quarterWidth: (4, 1)
    }
  }
}

/// A picture as planes of Y, Cb and Cr in borrowed storage.
public struct PlanarImage {
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// Its chroma subsampling.
  public let chroma: ChromaLayout
  /// Y.
  public let luma: Plane
  /// Cb; for a gray picture a plane without samples.
  public let blue: Plane
  /// Cr; for a gray picture a plane without samples.
  public let red: Plane

  /// Lays the planes out in `storage`; nil when they do not fit. Rows and columns are rounded up to whole
  /// chroma samples.
  public init?(
    in storage: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int, chroma: ChromaLayout
  ) {
    guard width > 0, height > 0, let base = storage.baseAddress else { return nil }
    let (across, down) = chroma.ratio
    let isGray = chroma == .gray
    let chromaWidth = isGray ? 0 : (width + across - 1) / across
    let chromaHeight = isGray ? 0 : (height + down - 1) / down
    let rowBytes = (width + across - 1) / across * across
    let lumaBytes = rowBytes.multipliedReportingOverflow(by: (height + down - 1) / down * down)
    guard !lumaBytes.overflow, lumaBytes.partialValue <= storage.count else { return nil }
    let chromaBytes = chromaWidth * chromaHeight
    guard 2 * chromaBytes <= storage.count - lumaBytes.partialValue else { return nil }
    self.width = width
    self.height = height
    self.chroma = chroma
    luma = Plane(base: base, width: width, height: height, rowBytes: rowBytes)
    let chroma = base + lumaBytes.partialValue
    blue = Plane(base: chroma, width: chromaWidth, height: chromaHeight, rowBytes: chromaWidth)
    red = Plane(base: chroma + chromaBytes, width: chromaWidth, height: chromaHeight, rowBytes: chromaWidth)
  }
}

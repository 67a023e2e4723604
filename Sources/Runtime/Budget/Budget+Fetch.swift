/// Limits of HTTP fetches (pictures and pages: canvas reference 1.14).
extension Budget {
  /// Bytes of a URL: servers take at most 8 KiB, and those that people see have a few hundred.
  public static let fetchURLBytes = 2048
  /// Bytes of one header line that are kept; the rest is dropped. A content security policy may be longer, but no field
  /// that is used.
  public static let fetchLineBytes = 4096
  /// Bytes of a response beside its content: header, chunk sizes, trailer.
  public static let fetchHeaderBytes = 64 * 1024
  /// Largest body in bytes (canvas reference 1.14). Reserved twice, for pictures of documents and for navigation; given
  /// back after each fetch.
  public static let fetchBodyBytes = 8 * 1024 * 1024
  /// Largest decoded content of a `data:` URL in bytes (canvas reference 1.14), and its longest text: `%xx` for each
  /// byte, and room for its type.
  public static let dataURLBytes = 2 * 1024 * 1024
  public static let dataURLCharacters = 3 * dataURLBytes + 1024
  /// Redirects followed in one fetch.
  public static let fetchRedirects = 5
  /// Timeout in milliseconds for a whole fetch, and for silence of the server: less than an invoke has (30 s).
  public static let fetchMilliseconds: Int64 = 20_000
  public static let fetchIdleMilliseconds: Int64 = 6_000
  /// Milliseconds before an invoke's deadline at which its fetch is given up, so that the answer can say why.
  public static let fetchMargin: Int64 = 1_000
  /// Hosts and networks that a configuration allows.
  public static let fetchAllowed = 16
  /// Timeout in milliseconds for a new URL of the gateway's canvas host.
  public static let canvasRefreshMilliseconds: Int64 = 5_000
  /// URLs of pictures that are remembered: twice as many as decoded pictures, because some cannot be fetched. 64 bytes
  /// each.
  public static let pictureAddresses = 2 * pictures
  /// First and longest pause in milliseconds before a picture that could not be fetched is tried again.
  public static let pictureRetryMilliseconds: ClosedRange<Int64> = 30_000...1_800_000

  // MARK: Live reload

  /// Timeout in milliseconds for the connection to the canvas host's live-reload events.
  public static let reloadOpenMilliseconds: Int64 = 15_000
  /// Milliseconds from a live-reload event to the fetch: saving several files causes several events.
  public static let reloadDelayMilliseconds: Int64 = 200
  /// Least milliseconds between two such fetches.
  public static let reloadSpacingMilliseconds: Int64 = 1_000
}

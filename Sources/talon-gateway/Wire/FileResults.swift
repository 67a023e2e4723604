/// The results of the commands for files, of which failures are results as well (node-commands 4.13).
enum FileResults {
  private static let (text, bytes) = (CommandResults.text, CommandResults.bytes)

  private static let failure = Schema.object([
    .required("ok", .bool),
    .required(
      "code",
      .oneOf([
        "INVALID_PATH", "NOT_FOUND", "PERMISSION_DENIED", "IS_DIRECTORY", "IS_FILE", "FILE_TOO_LARGE",
        "TREE_TOO_LARGE", "SYMLINK_REDIRECT", "SYMLINK_TARGET_DENIED", "PATH_TRAVERSAL", "READ_ERROR", "WRITE_ERROR",
        "EXISTS_NO_OVERWRITE", "PARENT_NOT_FOUND", "INTEGRITY_FAILURE", "INVALID_BASE64",
      ])),
    .required("message", .text), .optional("canonicalPath", .text),
  ])

  private static func success(_ fields: [Schema.Field]) -> Schema {
    .outcome(success: .object([.required("ok", .bool), .required("path", .text)] + fields), failure: failure)
  }

  private static let kind: [Schema.Field] = [
    .required("size", bytes), .required("mimeType", .text), .required("isDir", .bool),
    .required("mtime", .integer(min: .min)),
  ]

  /// `base64` and `sha256` are empty when only a question was asked, and the first of an empty file.
  static let fetch = success([
    .required("size", bytes), .required("mimeType", .text), .required("base64", text), .required("sha256", text),
    .optional("preflightOnly", .bool),
  ])
  static let stat = success(kind)
  static let list = success([
    .required("entries", .array(.object([.required("name", .text), .required("path", .text)] + kind))),
    .optional("nextPageToken", .text), .required("truncated", .bool),
  ])
  static let write = success([
    .required("size", bytes), .required("sha256", text), .required("overwritten", .bool),
    .optional("preflightOnly", .bool),
  ])
}

/// What bounds the light, the button and what they stand for.
extension Budget {
  /// The record of the panic button on flash: one byte.
  public static let holdRecordBytes = 1
  /// Things that a self-test tries.
  public static let selfTestChecks = 8
  /// Bytes of memory that the whole process may have (`MemoryMax` of its unit): 5 MiB at rest, a clip and its pictures
  /// (27 MiB), the frames of a large camera (16 MiB), and what the kernel keeps of pages that were written.
  public static let processBytes = 96 * 1024 * 1024
}

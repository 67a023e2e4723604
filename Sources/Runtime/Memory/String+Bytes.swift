extension String {
  /// Calls `body` with the text's bytes, UTF-8, which are valid during the call and no longer: a string of at most 15
  /// bytes has them in itself, so a pointer that is kept beyond the call shows other memory in an optimized build, and
  /// may look right in a debug build. `board/lint` refuses pointers to a string by its span, which invite that.
  public func withBytes<Result, Failure>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var text = self
    let outcome: Swift.Result<Result, Failure> = text.withUTF8 { bytes in
      do throws(Failure) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try outcome.get()
  }
}

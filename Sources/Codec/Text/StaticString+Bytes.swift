extension StaticString {
  /// The literal's UTF-8, which lives as long as the program.
  public var utf8Bytes: Span<UInt8> {
    @_lifetime(immortal)
    get {
      let bytes = UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
      return _overrideLifetime(Span(_unsafeElements: bytes), copying: ())
    }
  }
}

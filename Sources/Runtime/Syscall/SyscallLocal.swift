import CLinux

/// Sockets between programs of one machine (`unix(7)`).
extension Syscall {
  /// `socket(2)`: a non-blocking stream socket.
  public static func localSocket() throws(Errno) -> Descriptor {
    Descriptor(Int32(try check(tl_local_socket())))
  }

  /// `bind(2)`: makes the socket's file; throws `.addressInUse` when there is one, and `ENAMETOOLONG` for a path of
  /// more than 107 bytes.
  public static func bind(_ socket: Descriptor, to path: Path) throws(Errno) {
    defer { withExtendedLifetime(path) {} }
    try check(tl_local_bind(socket.number, path.cString))
  }

  /// `connect(2)`: throws `.connectionRefused` when no process listens there.
  public static func connect(_ socket: Descriptor, to path: Path) throws(Errno) {
    defer { withExtendedLifetime(path) {} }
    try check(tl_local_connect(socket.number, path.cString))
  }

  /// `SO_PEERCRED` of unix(7): user and process that listen at the other end, as the kernel knows them.
  public static func peer(_ socket: Descriptor) throws(Errno) -> (user: UInt32, process: Int32) {
    var (user, process): (UInt32, Int32) = (0, 0)
    try check(tl_local_peer(socket.number, &user, &process))
    return (user, process)
  }

  /// `listen(2)`
  public static func listen(_ socket: Descriptor, backlog: Int32) throws(Errno) {
    try check(tl_listen(socket.number, backlog))
  }

  /// `accept4(2)`: the next client, non-blocking; throws `.wouldBlock` when there is none.
  public static func accept(_ socket: Descriptor) throws(Errno) -> Descriptor {
    Descriptor(Int32(try check(tl_accept(socket.number))))
  }

  /// `chmod(2)`
  public static func setPermissions(_ path: Path, _ permissions: UInt32) throws(Errno) {
    defer { withExtendedLifetime(path) {} }
    try check(tl_chmod(path.cString, permissions))
  }

  /// `recv(2)`: the count received; 0 when the peer has finished; throws `.wouldBlock` when nothing is there.
  public static func receiveStream(
    _ socket: Descriptor, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(Errno) -> Int {
    Int(try check(tl_recv(socket.number, bytes.baseAddress, numericCast(bytes.count))))
  }

  /// `send(2)` without SIGPIPE: the count taken; throws `.wouldBlock` when there is no room.
  public static func send(_ socket: Descriptor, _ bytes: UnsafeBufferPointer<UInt8>) throws(Errno) -> Int {
    Int(try check(tl_send(socket.number, bytes.baseAddress, numericCast(bytes.count))))
  }

  /// `socket(2)`: a non-blocking datagram socket.
  public static func localDatagrams() throws(Errno) -> Descriptor {
    Descriptor(Int32(try check(tl_local_datagrams())))
  }

  /// `sendto(2)` without SIGPIPE: one datagram to the socket at `path`, where "@name" stands for a name in the abstract
  /// namespace. Throws `.wouldBlock` when the receiver has no room.
  public static func send(_ socket: Descriptor, _ bytes: UnsafeBufferPointer<UInt8>, to path: Path) throws(Errno) {
    defer { withExtendedLifetime(path) {} }
    try check(tl_local_send(socket.number, path.cString, bytes.baseAddress, numericCast(bytes.count)))
  }
}

import COpenSSL
import Foundation
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import talon_gateway

@Suite("TLS of the gateway")
struct TLSTests {
  @Test("large messages arrive whole and in order in both directions")
  func large() async throws {
    try await TLSBench.run(.echo) { bench in
      var numbers = Seeded(7)
      let sizes = [1, 16_384, 16_385, 4_000_000] + (0..<100).map { _ in Int.random(in: 1...30_000, using: &numbers) }
      let messages = sizes.map { count in
        var message = ByteBuffer()
        while message.readableBytes < count { message.writeInteger(numbers.next()) }
        return message.getSlice(at: 0, length: count) ?? message
      }
      let sent = messages.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
      let received = try await bench.client().executeThenClose { inbound, outbound in
        var stream = inbound.makeAsyncIterator()
        // Only so much may wait for the handshake.
        try await outbound.write(messages[0])
        var received = try await stream.next() ?? ByteBuffer()
        async let writing: Void = {
          for message in messages.dropFirst() { try await outbound.write(message) }
        }()
        while received.readableBytes < sent.readableBytes, let bytes = try await stream.next() {
          received.writeImmutableBuffer(bytes)
        }
        try await writing
        return received
      }
      #expect(received == sent)
    }
  }

  @Test("promises are kept in the order of the writes, also of those before the handshake")
  func promises() async throws {
    try await TLSBench.run(.echo) { bench in
      let (order, continuation) = AsyncStream.makeStream(of: String.self)
      let channel = try await bench.connect { channel in
        let handler = try TLSHandler(bench.clientContext, .client)
        try channel.pipeline.syncOperations.addHandler(handler)
        for number in 0..<8 {
          // Larger than a piece, and empty.
          let data = ByteBuffer(repeating: 7, count: number % 3 * 100_000)
          channel.write(data).whenComplete { continuation.yield(TLSBench.outcome(number, $0)) }
        }
        channel.flush()
      }
      var outcomes: [String] = await order.prefix(8).reduce(into: []) { $0.append($1) }
      // After the handshake, for only so much may wait for that.
      for number in 8..<12 {
        channel.writeAndFlush(ByteBuffer(repeating: 7, count: 700_000))
          .whenComplete { continuation.yield(TLSBench.outcome(number, $0)) }
      }
      outcomes += await order.prefix(4).reduce(into: []) { $0.append($1) }
      #expect(outcomes == (0..<12).map(String.init))
      try await channel.close()
    }
  }

  @Test("a peer that goes away in the middle of a handshake ends the connection and nothing else")
  func halfHandshake() async throws {
    try await TLSBench.run(.echo) { bench in
      let half = try ByteBuffer(bytes: bench.clientHello().readableBytesView.prefix(100))
      #expect(try await bench.answer(to: half, thenCloses: true).readableBytes == 0)
      #expect(await bench.heard(2) == ["TLS: the peer ended the connection during the handshake", "inactive"])
      try await bench.expectEcho()
    }
  }

  @Test("a peer that sends something else instead of a handshake ends the connection and nothing else")
  func garbage() async throws {
    try await TLSBench.run(.echo) { bench in
      let get = ByteBuffer(string: "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
      // An alert (RFC 8446, section 6), and nothing that a server without TLS would say.
      #expect(try await bench.answer(to: get).readableBytes <= 7)
      #expect(await bench.heard(2) == ["OpenSSL: the TLS handshake failed: http request", "inactive"])
      let noise = ByteBuffer(repeating: 0x16, count: 50_000)
      #expect(try await bench.answer(to: noise).readableBytes <= 7)
      #expect(await bench.heard(2).last == "inactive")
      try await bench.expectEcho()
    }
  }

  @Test("a gateway answers the next client after garbage")
  func gateway() async throws {
    try await TestGateway.run(tls: true) { gateway in
      let url = try #require(URL(string: "http://127.0.0.1:\(gateway.server.port)/healthz"))
      #expect(try await HTTPProbe.status(of: url) == nil)
      #expect(try await TestNode().connect(gateway.client(tls: true)) != nil)
    }
  }

  @Test("TLS 1.2 is refused, and the peer is told why")
  func old() async throws {
    try await TLSBench.run(.echo) { bench in
      let peer = try TLSConnection(TLSContext.trustingClient(newest: TLS1_2_VERSION), .client)
      let alert = try await bench.answer(to: bench.clientHello(of: peer))
      // fatal, protocol_version
      #expect(Array(alert.readableBytesView.suffix(2)) == [2, 70])
      #expect(await bench.heard(2) == ["OpenSSL: the TLS handshake failed: unsupported protocol", "inactive"])
      try peer.feed(alert)
      #expect(throws: TLSFailure(description: "OpenSSL: the TLS handshake failed: tlsv1 alert protocol version")) {
        try peer.shakeHands()
      }
      try await bench.expectEcho()
    }
  }

  @Test("close_notify is sent at the end, and the connection ends when the peer answers it")
  func goodbye() async throws {
    try await TLSBench.run(.closes, grace: .seconds(60)) { bench in
      try await bench.raw().executeThenClose { inbound, outbound in
        var stream = inbound.makeAsyncIterator()
        let peer = try await bench.shakenHands(&stream, outbound)
        try peer.encrypt(ByteBuffer(string: "bye"))
        try await outbound.write(peer.takeCiphertext())
        var (text, isOver) = (ByteBuffer(), false)
        while !isOver {
          try peer.feed(#require(await stream.next()))
          isOver = try peer.decrypt(into: &text)
        }
        #expect(String(buffer: text) == "bye")
        // The server waits for our close_notify, and then ends TCP.
        #expect(peer.sayGoodbye())
        try await outbound.write(peer.takeCiphertext())
        #expect(try await stream.next() == nil)
      }
      #expect(await bench.heard(1) == ["inactive"])
    }
  }

  @Test("a peer that does not answer close_notify is let go")
  func silent() async throws {
    try await TLSBench.run(.closes, grace: .milliseconds(50)) { bench in
      try await bench.raw().executeThenClose { inbound, outbound in
        var stream = inbound.makeAsyncIterator()
        let peer = try await bench.shakenHands(&stream, outbound)
        try peer.encrypt(ByteBuffer(string: "bye"))
        try await outbound.write(peer.takeCiphertext())
        while try await stream.next() != nil {}
      }
      #expect(await bench.heard(1) == ["inactive"])
    }
  }

  @Test("the end of TCP without close_notify is an error")
  func cutOff() async throws {
    try await TLSBench.run(.echo) { bench in
      try await bench.raw().executeThenClose { inbound, outbound in
        var stream = inbound.makeAsyncIterator()
        let peer = try await bench.shakenHands(&stream, outbound)
        try peer.encrypt(ByteBuffer(string: "heard"))
        try await outbound.write(peer.takeCiphertext())
        // With something unread, TCP would end by a reset.
        var text = ByteBuffer()
        while text.readableBytes < 5 {
          try peer.feed(#require(await stream.next()))
          #expect(try !peer.decrypt(into: &text))
        }
      }
      #expect(await bench.heard(2) == ["TLS: the peer ended the connection without close_notify", "inactive"])
    }
  }

  @Test("a peer that closes its half still gets what was not sent yet")
  func halfClose() async throws {
    try await TLSBench.run(.answersAtEnd) { bench in
      let (stream, continuation) = AsyncStream.makeStream(of: String.self)
      let channel = try await bench.connect { channel in
        let handler = try TLSHandler(bench.clientContext, .client)
        try channel.pipeline.syncOperations.addHandlers([handler, Recorder(.echo, continuation, echoes: false)])
        // All of it before the handshake.
        channel.write(ByteBuffer(string: "question"), promise: nil)
        channel.close(mode: .output, promise: nil)
      }
      #expect(await stream.prefix(2).reduce(into: []) { $0.append($1) } == ["answer", "inactive"])
      try? await channel.closeFuture.get()
    }
  }

  @Test("what waits for a handshake is bounded")
  func bound() async throws {
    // Nobody answers there.
    let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0).get()
    let context = try TLSContext.trustingClient()
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(TLSHandler(context, .client, pendingBytesMax: 1_000))
        }
      }.connect(to: #require(silent.localAddress)).get()
    let first = channel.write(ByteBuffer(repeating: 1, count: 1_000))
    await #expect(throws: TLSFailure.tooMuchWaits) { try await channel.write(ByteBuffer(repeating: 1, count: 1)).get() }
    await #expect(throws: TLSFailure.tooMuchWaits) { try await first.get() }
    try await channel.closeFuture.get()
    try await silent.close()
  }

  @Test("a chain or a key that cannot be read is named")
  func unreadable() throws {
    let folder = try TestGateway.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder.url) }
    _ = try ServerCertificate(folder: folder)
    try folder.write("gateway-key.pem", Data("no key".utf8))
    let error = #expect(throws: TLSFailure.self) { try ServerCertificate(folder: folder) }
    #expect(error?.description.contains("gateway-key.pem failed: ") == true)
  }
}

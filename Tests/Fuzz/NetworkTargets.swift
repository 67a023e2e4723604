import Codec

/// A DNS message is read to its end or refused at a place inside it; names and queries survive writing and reading.
func checkDNS(_ bytes: [UInt8]) {
  let span = bytes.span
  do throws(DNSError) {
    var reader = try DNSReader(span)
    while let question = try reader.nextQuestion() { checkName(question.name, question.type) }
    while let record = try reader.nextRecord() {
      expect(record.data.upperBound <= bytes.count, "a record outside its message")
      checkName(record.name, record.type)
      readData(of: record, reader, count: bytes.count)
    }
  } catch {
    expect((0...bytes.count).contains(error.offset), "refused at \(error.offset) of \(bytes.count)")
  }
}

private func readData(of record: DNSRecord, _ reader: borrowing DNSReader, count: Int) {
  do throws(DNSError) {
    switch record.type {
    case .ptr: checkName(try reader.target(of: record), .ptr)
    case .srv: checkName(try reader.service(of: record).target, .srv)
    case .a, .aaaa: _ = try reader.address(of: record)
    case .txt:
      let text = try reader.text(of: record)
      if let value = text.value(of: "gatewayPort") { expect(value.count <= 255, "a value of \(value.count) bytes") }
    default: return
    }
  } catch {
    expect((0...count).contains(error.offset), "data refused at \(error.offset) of \(count)")
  }
}

/// A name as text means the same name, and so does a query for it.
private func checkName(_ name: DNSName, _ type: DNSType) {
  expect(name.bytes.count <= DNSName.nameMax, "a name of \(name.bytes.count) bytes")
  // Four characters for a byte at most, and the dots.
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4 * DNSName.nameMax + 1) { buffer in
    var writer = ByteWriter(into: buffer)
    name.writeText(to: &writer, isRooted: true)
    expect(writer.isComplete, "a name that is longer than a name")
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[..<writer.count])
    let again = try? DNSName(text: Span(_unsafeElements: text))
    expect(again == name, "\(String(decoding: text, as: UTF8.self)) is another name")
    var query = DNSQuery(into: buffer, id: 7, recursionDesired: false)
    expect(query.ask(DNSQuestion(name, type)), "no room for a question")
    let message = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[..<query.count])
    do throws(DNSError) {
      var reader = try DNSReader(Span(_unsafeElements: message))
      let question = try reader.nextQuestion()
      expect(question == DNSQuestion(name, type), "a question changes on its way")
    } catch {
      expect(false, "a query is refused: \(error)")
    }
  }
}

/// A datagram of rtnetlink is read to its end or refused at a place inside it.
func checkNetlink(_ bytes: [UInt8]) {
  do throws(NetlinkError) {
    var reader = NetlinkReader(bytes.span)
    var count = 0
    while try reader.next() != nil { count += 1 }
    // The shortest message has a header of 16 bytes.
    expect(count <= bytes.count / 16, "\(count) messages in \(bytes.count) bytes")
  } catch {
    expect((0...bytes.count).contains(error.offset), "refused at \(error.offset) of \(bytes.count)")
  }
}

/// A datagram of nl80211 is read to its end or refused at a place inside it; the first two bytes are the family's
/// number.
func checkWireless(_ bytes: [UInt8]) {
  guard bytes.count >= 2 else { return }
  let datagram = Array(bytes[2...])
  do throws(NetlinkError) {
    var reader = WirelessReader(datagram.span, family: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
    var count = 0
    while let message = try reader.next() {
      count += 1
      if case .station(let station) = message { expect(station.bitrate != 0, "a rate of nothing") }
    }
    expect(count <= datagram.count / 16, "\(count) messages in \(datagram.count) bytes")
  } catch {
    expect((0...datagram.count).contains(error.offset), "refused at \(error.offset) of \(datagram.count)")
  }
}

/// A message about a device is read or refused at a place inside it, and names one subsystem at most.
func checkUevent(_ bytes: [UInt8]) {
  do throws(NetlinkError) {
    let event = try Uevent(bytes.span)
    let (isVideo, isNetwork) = (event.isOf(subsystem: "video4linux"), event.isOf(subsystem: "net"))
    expect(!(isVideo && isNetwork), "of two subsystems")
    expect(bytes.last == 0, "without an end")
  } catch {
    expect((0...bytes.count).contains(error.offset), "refused at \(error.offset) of \(bytes.count)")
  }
}

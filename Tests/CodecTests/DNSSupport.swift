@testable import Codec

/// What python-zeroconf 0.47 answers to a legacy query for `_openclaw-gw._tcp.local`: PTR, SRV, TXT, A and AAAA, with
/// compressed names.
let zeroconfAnswer = unhex(
  "1234840000010001000000040c5f6f70656e636c61772d6777045f746370056c6f63616c00000c0001c00c000c000100"
    + "00000a00141153747564696f20284f70656e436c617729c00cc035002100010000000a000f0000000049650673747564"
    + "696fc01ec035001000010000000a00b80c726f6c653d67617465776179117472616e73706f72743d6761746577617912"
    + "646973706c61794e616d653d53747564696f1167617465776179506f72743d31383738390c67617465776179546c733d"
    + "315167617465776179546c735368613235363d6162616261626162616261626162616261626162616261626162616261"
    + "6261626162616261626162616261626162616261626162616261626162616261626162146c616e486f73743d73747564"
    + "696f2e6c6f63616cc05b000100010000000a0004c0000214c05b001c00010000000a0010fe8000000000000000000000"
    + "00000020")

func unhex(_ digits: String) -> [UInt8] {
  let values = digits.utf8.map { UInt8($0 < 0x40 ? $0 - 0x30 : $0 - 0x61 + 10) }
  return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
}

/// The header of an answer with so many records.
func answerHeader(records: UInt8) -> [UInt8] { [0, 0, 0x84, 0, 0, 0, 0, records, 0, 0, 0, 0] }

/// Everything that can be read from a message as text, or the first error.
func described(_ bytes: [UInt8]) -> String {
  let message = bytes.span
  var lines: [String] = []
  do throws(DNSError) {
    var reader = try DNSReader(message)
    while let question = try reader.nextQuestion() {
      lines.append("? \(question.type.number) \(shown(question.name))")
    }
    while let record = try reader.nextRecord() {
      let head = "\(record.type.number) \(shown(record.name)) \(record.ttl) "
      switch record.type {
      case .ptr: lines.append(head + shown(try reader.target(of: record)))
      case .srv:
        let service = try reader.service(of: record)
        lines.append(head + "\(shown(service.target)):\(service.port)")
      case .txt:
        let text = try reader.text(of: record)
        lines.append(head + (value(of: "role", in: text) ?? "-"))
      case .a, .aaaa:
        let address = try reader.address(of: record)
        lines.append(head + address.withUnsafeBufferPointer { "\(Array($0))" })
      default: lines.append(head)
      }
    }
  } catch {
    lines.append("\(error.kind) at \(error.offset)")
  }
  return lines.joined(separator: "\n")
}

func shown(_ name: DNSName, isRooted: Bool = false) -> String {
  written { buffer in
    var writer = ByteWriter(into: buffer)
    name.writeText(to: &writer, isRooted: isRooted)
    return writer.count
  }
}

/// The value of a key of a TXT record as text.
func value(of key: StaticString, in record: borrowing DNSText) -> String? {
  guard let value = record.value(of: key) else { return nil }
  return text(value)
}

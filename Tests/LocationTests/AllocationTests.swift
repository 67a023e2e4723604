import CAllocationCounter
import Codec
import Testing

@testable import Location

@Suite struct LineAllocationTests {
  @Test("reading a line of any kind allocates nothing, however it is cut", arguments: [1, 7, 512, 4096])
  func allocations(_ length: Int) {
    func second(_ time: String, _ second: UInt8) -> [UInt8] {
      let sentences: [String] = [
        Receiver.gga(time), Receiver.rmc(time), Receiver.gsa(3, [1, 2, 3]), Receiver.vtg(), Receiver.gst(time),
        Receiver.gsv([(1, 40), (2, 41), (3, 42), (4, 43), (5, 44)]).joined(),
        Receiver.sentence("GPGLL,4807.038,N,01131.000,E,\(time),A,A"),
        Receiver.sentence("GPZDA,\(time),15,07,2026,00,00"), Receiver.sentence("GPGBS,\(time),1.6,1.4,3.2,,,,"),
        Receiver.sentence("GNGNS,\(time),4807.038,N,01131.000,E,AAN,07,1.2,111.5,45.6,,,V"), "$GPGGA,12", "noise\r\n",
      ]
      let satellite: [UInt8] = [2, 11, 35, 45, 120, 0, 0, 0, 8, 0, 0, 0]
      let navSat = Receiver.ubx(0x01, 0x35, Receiver.little(0, 4) + [1, 2, 0, 0] + satellite + satellite)
      return Array(sentences.joined().utf8) + Receiver.pvt(second) + navSat + Receiver.timeUTC(second) + [0xD3, 0, 9]
    }
    let bytes = second("123519", 19) + second("123520", 20) + second("123521", 21)
    var reader = GNSSReader()
    var tracker = FixTracker()
    var messages = 0
    func read(_ reader: inout GNSSReader, _ tracker: inout FixTracker, _ bytes: Span<UInt8>) {
      var start = 0
      while start < bytes.count {
        let end = min(start + length, bytes.count)
        var index = 0
        while let message = reader.next(bytes.extracting(start..<end), at: &index) {
          messages += 1
          _ = tracker.accept(message, at: 0, wall: 0)
        }
        start = end
      }
    }
    // The first time makes what is made once.
    read(&reader, &tracker, bytes.span)
    tracker.receiverRestarted()
    messages = 0
    tl_count_allocations()
    read(&reader, &tracker, bytes.span)
    let counted = tl_counted_allocations()
    #expect(messages >= 3 * 14)
    #expect(tracker.latest?.instant == 1_784_118_921_000)
    #expect(counted == 0)
  }
}

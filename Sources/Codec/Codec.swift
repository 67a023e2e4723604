// Codec: the formats on Talon's path, as pure machines over bytes.
//
// Nothing here reads a clock, touches a descriptor, allocates or imports a module. Input is a
// `Span<UInt8>` that may end anywhere; output goes to a buffer that the caller owns. Limits are
// parameters, because the budget table belongs to Runtime. Everything from outside is hostile until parsed: a
// reader either accepts exactly what its standard allows or says what was wrong and where.
//
//   Text       UTF-8 validation, bounded output, hexadecimal
//   Numbers    decimal text to and from integers and doubles, calendar arithmetic, ISO 8601
//   JSON       RFC 8259: incremental check, selective capture, navigation, writing
//   Base64     RFC 4648: both alphabets, streaming and by offset
//   WebSocket  RFC 6455: the client's half
//   GNSS       the line of a position receiver: NMEA, UBX and RTCM 3 among noise
//   WAV        RIFF WAVE: what stands before the samples of a recording
//   NMEA       NMEA 0183: sentences of a position receiver
//   UBX        u-blox's frames: reading, writing, configuring
//   DNS        RFC 1035, 6762, 6763: queries, and what services answer
//   G711       the two laws of telephony
//   Netlink    rtnetlink(7): what the kernel says about the network

// Codec: the formats on Talon's path, as pure machines over bytes.
//
// Nothing here reads a clock, uses a descriptor, allocates or imports a module. Input is a `Span<UInt8>` that may end
// anywhere; output goes to a buffer that the caller owns. Limits are parameters, because the budget table belongs to
// Runtime. Input is untrusted until parsed: a reader accepts exactly what its standard allows, or reports what is wrong
// and where.
//
//   Text       UTF-8 validation, bounded output, hexadecimal
//   Numbers    decimal text to and from integers and doubles, calendar arithmetic, ISO 8601
//   JSON       RFC 8259: incremental check, selective capture, navigation, writing
//   Base64     RFC 4648: both alphabets, streaming and by offset
//   WebSocket  RFC 6455: the client's half
//   GNSS       a position receiver's byte stream: NMEA, UBX and RTCM 3 among noise
//   WAV        RIFF WAVE: the header of a recording
//   NMEA       NMEA 0183 sentences
//   UBX        u-blox's frames: reading, writing, configuring
//   DNS        RFC 1035, 6762, 6763: queries, and answers of services
//   G711       mu-law and A-law
//   Netlink    rtnetlink(7): the kernel's messages about network and devices

// Voice: detects wake phrases in sound, offline.
//
// Sound goes in as blocks of 16 kHz mono samples, detections come out. Nothing here touches a device or a file.
//
//   EnergyGate        stops processing in a quiet room, and keeps the sound that opened it
//   MelFrontEnd       32 mel bands in decibels, a hundred times a second
//   EmbeddingNetwork  Google's speech embedding: 96 numbers every 80 ms for what is spoken, nearly independent of the
//   voice
//   WakeDetector      compares nine of them with one vector for each phrase
//   WakeListener      the whole chain
//   PhraseText        the normal form in which phrases are compared
//   PhraseFile        a phrase's vector on flash; PhraseBank several of them, as built in
//
// Vectors are made by `talon-lab enrol`.

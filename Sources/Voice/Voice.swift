// Voice: hears phrases that somebody typed, offline.
//
// Sound goes in as blocks of 16 kHz mono samples, detections come out. Nothing here touches a device or a file.
//
//   EnergyGate        lets nothing through in a quiet room, and remembers what opened it
//   MelFrontEnd       32 mel bands in decibels, a hundred times a second
//   EmbeddingNetwork  Google's speech embedding: 96 numbers every 80 ms that say what was spoken, hardly by whom
//   WakeDetector      nine of them against one vector for each phrase
//   WakeListener      all of it
//   PhraseText        what makes two spellings the same phrase
//   PhraseFile        a phrase's vector on flash; PhraseBank many of them, as they are built in
//
// Vectors are made by `talon-lab enrol`.

// Enrolment: learns the vector by which a phrase is detected, from recordings or synthetic speech, on a board or a
// larger machine.
//
// Words go in as samples of 16 kHz, a phrase file comes out. Nothing here touches a device or a file, and memory is
// limited.
//
//   SpeechBank      embeddings of real speech, as negative examples; built in
//   SpokenWord      finds the word in a recording
//   Room            simulates rooms and microphones, so that three recordings become many
//   StepRuns        embeddings of words, as compact as those of the bank
//   WakeFit         the logistic regression; QuasiNewton minimizes its loss
//   PhraseEnroller  the whole chain
//
// `talon listen --enrol` uses recordings of its owner, `talon-lab enrol` synthetic voices. On the board, synthetic
// voices are used too:
//
//   Language          the letters and voices of a language
//   Spelling          a phrase in the form for voices
//   SpeakingPlan      variations of speaking
//   OtherWords        other words, as negative examples
//   SpellingEnroller  synthesizes the phrase, and learns it
//   PhraseTeacher     the protocol for the agent

// Enrolment: makes the vector by which a phrase is heard, from recordings of it, on a board as well as on a larger machine.
//
// Words go in as samples of 16 kHz, a phrase file comes out. Nothing here touches a device or a file, and all that it keeps is bounded.
//
//   SpeechBank      real speech as the embedding's components, which a phrase is told from; built in
//   SpokenWord      finds what was said in a recording, and whether two of them are alike
//   Room            what rooms and microphones make of a word, so that three recordings become many
//   StepRuns        windows of words, as compact as those of the bank
//   WakeFit         the logistic regression; QuasiNewton minimises its loss
//   PhraseEnroller  all of it
//
// `talon listen --enrol` feeds it what its owner says, `talon-lab enrol` what synthetic voices do. On the board voices do, too:
//
//   Language          which letters voices pronounce, and which voices those are
//   Spelling          a phrase as voices are given it
//   SpeakingPlan      in which ways they say it
//   OtherWords        what they say besides
//   SpellingEnroller  has them say it, and learns
//   PhraseTeacher     what the agent asks for it

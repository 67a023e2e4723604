/// The help of commands for microphones, speakers and the board's own voice.
extension Usage {
  static let sound = [
    Usage(
      command: "listen", takesConfiguration: true,
      text: """
        talon listen [--once] [--json] [--config FILE]
        talon listen list
        talon listen record --out FILE [--seconds N] [--config FILE]
        talon listen --enrol PHRASE [--wav FILE --wav FILE --wav FILE] [--config FILE]
        talon listen --enrol PHRASE --typed [--config FILE]
        talon listen --forget PHRASE [--config FILE]

        What the microphone of the running agent hears: its level, its peak and the noise floor, in decibels of full
        scale, and whether it is alive; once a second until Ctrl-C. It is open for as long as somebody looks. Where wake
        phrases are listened for, also how near each came to being heard in the last two seconds: its score, and the one
        it needs. [wake] caution and cautions move the latter. With [talk] recogniser also what that makes of each
        utterance, and how sure it is.
        list: the cards that capture, their devices and the controls of their mixers. Needs no agent.
        record: what the rooms of the agent would hear, as a WAV file of 16 kHz, one channel and 16 bits; 5 seconds
        unless told otherwise. Needs no agent, and a running one may have the microphone.
        --enrol: learns a phrase from three recordings of your voice, made now, or from three files of up to 3 s. It is
        kept in the state folder. A running agent lends its microphone for that, and takes the phrase over at once.
        --forget takes it away again.
        --typed: learns it from its spelling instead, as the agent does by itself: synthetic voices say it, flite's and,
        where that is installed, espeak-ng's; with [wake] model, espeak-ng's of that language. Says how many of the
        voices that were kept aside are heard. Recordings stay if there are any.
        """, flags: ["--once", "--json", "--typed"],
      values: ["--out", "--seconds", "--enrol", "--forget", "--wav", "--serve", "--model"], words: 0...1),
    Usage(
      command: "talk", takesConfiguration: true,
      text: """
        talon talk [--config FILE]
        talon talk --once
        talon talk --mode on|off|status
        talon talk --follow

        Opens the board's microphone, as its talk button does: what is said until Enter goes to the gateway's agent,
        which answers aloud. Ctrl-C drops it. Prints what was understood.
        --once: what is said ends by two seconds of silence, and after 12 seconds at the latest.
        --mode: talk mode, in which the board listens again after each answer, or, with [talk] mode = realtime, both
        talk at any time. --follow: what both say, a line each, until Ctrl-C.
        Exit code: 0 it is on its way, 69 there is no agent, microphone or recognizer, 75 nothing was said or it cannot
        be sent.
        """, flags: ["--once", "--follow"], values: ["--mode"]),
    Usage(
      command: "speaker", takesConfiguration: true,
      text: """
        talon speaker list
        talon speaker tone [--hertz N] [--seconds N] [OPTIONS] [--config FILE]
        talon speaker play FILE [OPTIONS] [--config FILE]

        list: the cards that play, their devices and the controls of their mixers.
        tone: a tone of 440 Hz for a second, at a tenth of full scale, unless told otherwise.
        play: a WAV file, its channels mixed into one.
        OPTIONS take the place of what [speaker] says: --card NAME, --device N, --rate N, --channels N, --format NAME
        (as S24_3LE).
        Need no agent.
        """, values: ["--hertz", "--seconds", "--card", "--device", "--rate", "--channels", "--format"],
      words: 1...2),
    Usage(
      command: "say", takesConfiguration: true,
      text: """
        talon say TEXT [--speed N] [--out FILE] [--config FILE]

        Says TEXT with the board's own voice, which knows English and needs no gateway: on the speaker of the running
        agent, or on that of the configuration where none runs. Ends when all of it was heard; Ctrl-C ends it sooner.
        --speed: from 0.5 to 2 times as fast. --out: writes a WAV file of 16 kHz instead; needs no agent.
        Exit code: 69 there is no speaker, 75 the board talks already.
        """, values: ["--speed", "--out"], words: 1...1),
    Usage(
      command: "recognise", takesConfiguration: true,
      text: """
        talon recognise [--model FOLDER] [--config FILE] FILE...

        What the board's own recognizer makes of WAV files of at most two minutes, how sure it is (the share of the
        words that it expects to be right), and what that costs: milliseconds to load the model and to understand each
        file, and memory.
        The model is that of [talk] recogniser unless told otherwise. Needs no agent.
        """, values: ["--model", "--serve"], words: 0...32),
  ]
}

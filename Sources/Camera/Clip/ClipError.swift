import Runtime

/// Why a piece of video was not taken, or a clip could not be finished. What came before stays whole in any case.
public enum ClipError: Error, Equatable, Sendable {
  // The stream.

  /// The access unit holds no picture and no parameter sets.
  case emptyUnit
  /// The bytes are no H.264 in Annex B form, or a unit of them is damaged.
  case brokenUnit
  /// A parameter set ends too soon, is too large, or says what cannot be.
  case brokenParameters
  /// H.264 of a kind that browsers do not play: other than 8-bit 4:2:0 of the baseline, main or high profile.
  case unsupportedProfile
  /// A picture came before the parameter sets that it needs.
  case missingParameters
  /// The parameter sets changed in the middle: another size or kind of picture.
  case parametersChanged
  /// The picture needs one that is not there: it is the clip's first, or one before it was lost. Wait for a key frame.
  case missingKeyframe
  /// Pictures that lean on later ones (B slices): they come in another order than they are shown.
  case reordered
  /// More than one picture in an access unit.
  case severalPictures

  // Time.

  /// The time stamp is not above the one before.
  case timeStoodStill
  /// The time stamp is more than `Budget.clipGapMicroseconds` above the one before.
  case timeJumped

  // Room.

  /// The clip would exceed its limit with this picture.
  case full
  /// The clip has `Budget.clipSamples` pictures.
  case tooManyPictures
  /// There is not one picture to make a clip of.
  case noPictures
  /// The place where the clip is kept failed.
  case sink(Errno)
  /// The encoder refused a picture or its settings.
  case encoder

  /// What a person reads in the log.
  public var text: StaticString {
    switch self {
    case .emptyUnit: "video without a picture"
    case .brokenUnit: "damaged video"
    case .brokenParameters: "damaged video parameters"
    case .unsupportedProfile: "video of a kind that browsers do not play"
    case .missingParameters: "video without parameters"
    case .parametersChanged: "video changed its size or kind"
    case .missingKeyframe: "video without a key frame"
    case .reordered: "video in another order than it is shown"
    case .severalPictures: "several pictures in one piece of video"
    case .timeStoodStill: "video time did not advance"
    case .timeJumped: "video time jumped"
    case .full: "clip is full"
    case .tooManyPictures: "clip has too many pictures"
    case .noPictures: "clip has no picture"
    case .sink(let reason): reason.text
    case .encoder: "video encoder failed"
    }
  }
}

import Runtime

/// Why a piece of video was refused, or a clip could not be finished. What was added before stays valid.
public enum ClipError: Error, Equatable, Sendable {
  // The stream.

  /// The access unit holds no picture and no parameter sets.
  case emptyUnit
  /// Not H.264 in Annex B format, or a damaged unit.
  case brokenUnit
  /// A parameter set is truncated, too large, or invalid.
  case brokenParameters
  /// H.264 that browsers do not play: other than 8-bit 4:2:0 of the baseline, main or high profile.
  case unsupportedProfile
  /// A picture came before the parameter sets that it needs.
  case missingParameters
  /// The parameter sets changed during the clip: another size or format.
  case parametersChanged
  /// The picture depends on a missing one: it is the first, or one before it was lost. Wait for a key frame.
  case missingKeyframe
  /// B slices: pictures are not in display order.
  case reordered
  /// More than one picture in an access unit.
  case severalPictures

  // Time.

  /// The timestamp does not increase.
  case timestampNotIncreasing
  /// The timestamp is more than `Budget.clipGapMicroseconds` after the previous one.
  case timestampGap

  // Room.

  /// The clip would exceed its limit with this picture.
  case full
  /// The clip has `Budget.clipSamples` pictures.
  case tooManyPictures
  /// There is no picture.
  case noPictures
  /// The sink failed.
  case sink(Errno)
  /// The encoder failed.
  case encoder

  /// The text for the log.
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
    case .timestampNotIncreasing: "video time did not advance"
    case .timestampGap: "video time jumped"
    case .full: "clip is full"
    case .tooManyPictures: "clip has too many pictures"
    case .noPictures: "clip has no picture"
    case .sink(let reason): reason.text
    case .encoder: "video encoder failed"
    }
  }
}

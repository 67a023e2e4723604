/// The icons of the standard catalog (48), others that published samples and the catalog of v0.9 name, and those that
/// the canvas itself needs.
public enum Icon: UInt8, CaseIterable, Sendable {
  case accountCircle, add, arrowBack, arrowForward, attachFile, calendarToday, call, camera, check, close, delete,
    download
  case edit, event, error, favorite, favoriteOff, folder, help, home, info, locationOn, lock, lockOpen, mail, menu
  case moreVert, moreHoriz, notificationsOff, notifications, payment, person, phone, photo, print, refresh, search, send
  case settings, share, shoppingCart, star, starHalf, starOff, upload, visibility, visibilityOff, warning
  /// Of the catalog of v0.9.
  case fastForward, pause, play, rewind, skipNext, skipPrevious, stop, volumeDown, volumeMute, volumeOff, volumeUp
  /// Of samples, which take any name of Material Symbols.
  case accountBalance, arrowDownward, arrowUpward, checkCircle, circle, directionsRun, directionsWalk, flight
  case localShipping, priorityHigh, schedule, trendingDown, trendingUp
  /// The canvas's own, which documents may name as well.
  case microphone, expandMore, expandLess, backspace, shift, keyboardHide
  /// What stands for a name that is not here: a dot in a square.
  case unknown
  /// The mouse's arrow, which no document names.
  case cursor
}

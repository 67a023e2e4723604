/// The icons of the standard catalog (48), and those that the canvas itself needs.
public enum Icon: UInt8, CaseIterable, Sendable {
  case accountCircle, add, arrowBack, arrowForward, attachFile, calendarToday, call, camera, check, close, delete, download
  case edit, event, error, favorite, favoriteOff, folder, help, home, info, locationOn, lock, lockOpen, mail, menu
  case moreVert, moreHoriz, notificationsOff, notifications, payment, person, phone, photo, print, refresh, search, send
  case settings, share, shoppingCart, star, starHalf, starOff, upload, visibility, visibilityOff, warning
  /// What stands for a name that is in no catalog: a dot in a square.
  case unknown
  /// The canvas's own.
  case microphone, expandMore, expandLess, backspace, shift, keyboardHide, play, cursor
}

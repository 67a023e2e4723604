/// What can go wrong, or merely happen.
public enum Incident: Int, CaseIterable, Sendable {
  case outage, forgottenUp, forgottenDown, forgottenBoth, resets, refusals, blackHole, namesGone, tlsFault
  case slowLink, longWay, splitDelivery, singleDelivery, impostor, networkChange, routeGone
  case gatewayCrash, gatewayMachineGone, plannedRestart, upgrade, downgrade, silence, lostTicks, deafness, hang,
    acceptsNothing, cloned
  case proxy, lockout, stranger, tokenRotated, deviceRemoved, renewedSameKey, renewedNewKey, authChanged
  case powerCut, powerCutInWrite, flashRefuses, flashFull, flashSlow, restart, wallJump
  case cameraGone, cameraHangs, receiverGone, panic
  case cardGone, cardBusy, cardSilent, lightBroken
  case manyInvokes, manyEvents, garbage, largeMessage, endlessFragments, strangeEvents

  /// How often it happens beside the others.
  var weight: Int64 {
    switch self {
    case .outage, .resets, .plannedRestart, .powerCut: 8
    case .networkChange, .forgottenBoth, .gatewayCrash, .powerCutInWrite, .manyEvents: 6
    case .largeMessage: 1
    case .renewedNewKey, .impostor, .stranger, .deviceRemoved, .proxy, .cloned: 2
    default: 4
    }
  }
}

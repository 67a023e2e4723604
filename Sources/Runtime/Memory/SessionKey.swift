/// The key of an agent's session, of `Budget.sessionKeyBytes` at most (gateway reference 9.9).
public typealias SessionKey = InlineText<512>

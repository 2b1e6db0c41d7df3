/// Which signals to follow. What is nil may be anything.
package struct BusSignal: Equatable, Sendable {
  /// The sender's unique name: a well-known one would let others' signals through, which anybody may
  /// send. See `Bus.followOwner`.
  package var sender: String
  package var path: String?
  package var interface: String
  package var member: String
  /// The first argument, a string.
  package var firstArgument: String?

  package init(
    sender: String, path: String? = nil, interface: String, member: String,
    firstArgument: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }

  static func ownerChanged(of name: String) -> BusSignal {
    BusSignal(
      sender: Bus.driver, path: "/org/freedesktop/DBus", interface: Bus.driver,
      member: "NameOwnerChanged", firstArgument: name)
  }

  /// `PropertiesChanged` of one interface.
  package static func propertiesChanged(
    of interface: String, path: String, sender: String
  ) -> BusSignal {
    BusSignal(
      sender: sender, path: path, interface: Bus.properties, member: "PropertiesChanged",
      firstArgument: interface)
  }

  /// The match rule (D-Bus specification, "Match Rules"). The parts are names and paths, which
  /// hold no quotes.
  var rule: String {
    var rule = "type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'"
    if let path { rule += ",path='\(path)'" }
    if let firstArgument { rule += ",arg0='\(firstArgument)'" }
    return rule
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Selects signals; a field that is nil matches anything.
package struct BusSignal: Equatable, Sendable {
  /// The sender's unique name. A well-known name would also match signals that other programs send;
  /// see `Bus.followOwner`.
  package var sender: String
  package var path: String?
  package var interface: String
  package var member: String
  /// The first argument, if it is a string.
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

  /// Selects `PropertiesChanged` of one interface.
  package static func propertiesChanged(
    of interface: String, path: String, sender: String
  ) -> BusSignal {
    BusSignal(
      sender: sender, path: path, interface: Bus.properties, member: "PropertiesChanged",
      firstArgument: interface)
  }

  /// The match rule (D-Bus specification, "Match Rules"). The parts are names and paths, which
  /// contain no quotes.
  var rule: String {
    var rule = "type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'"
    if let path { rule += ",path='\(path)'" }
    if let firstArgument { rule += ",arg0='\(firstArgument)'" }
    return rule
  }
}

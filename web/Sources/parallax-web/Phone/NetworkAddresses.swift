// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The addresses and the names of this machine on its networks.
enum NetworkAddresses {
  /// Returns the IPv4 address from which this machine would send to other networks, or else its first address that
  /// is not a loopback address; nil without a network.
  static func preferred() -> String? {
    // Connecting a UDP socket sends nothing; 192.0.2.1 is reserved for documentation.
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return all().first }
    defer { close(descriptor) }
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = in_port_t(9).bigEndian
    inet_pton(AF_INET, "192.0.2.1", &target.sin_addr)
    var own = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isFound = withUnsafeMutablePointer(to: &target) { target in
      withUnsafeMutablePointer(to: &own) { own in
        target.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, length) == 0
        }
          && own.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            getsockname(descriptor, $0, &length) == 0
          }
      }
    }
    return isFound ? text(own.sin_addr) : all().first
  }

  /// The IPv4 addresses of all networks, in the system's order.
  static func all() -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var addresses: [String] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      let flags = Int32(entry.ifa_flags)
      guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
        let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET)
      else { continue }
      address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        addresses.append(text($0.pointee.sin_addr))
      }
    }
    return addresses
  }

  /// The name of this machine, and its name in mDNS; empty if it has none.
  static func hostNames() -> [String] {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return [] }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
    ).lowercased()
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isName, !name.isEmpty else { return [] }
    return name.contains(".") ? [name] : [name, "\(name).local"]
  }

  /// Returns the bytes of an IPv4 or IPv6 address in network order; nil for a name.
  static func bytes(_ address: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, address, &bytes) == 1 { return bytes }
    }
    return nil
  }

  /// Returns the text of the bytes of an address; nil if they are not of one.
  static func text(_ bytes: [UInt8]) -> String? {
    let family = [4: AF_INET, 16: AF_INET6][bytes.count]
    guard let family else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func text(_ address: in_addr) -> String {
    withUnsafeBytes(of: address.s_addr) { text(Array($0)) ?? "" }
  }
}

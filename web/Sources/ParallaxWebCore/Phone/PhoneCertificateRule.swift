// SPDX-License-Identifier: Apache-2.0

/// Decides whether the stored certificate is used again, so that a phone that has accepted it does not warn again.
package enum PhoneCertificateRule {
  /// How long a new certificate is valid, in days.
  package static let days = 397
  /// A certificate with fewer days left is renewed.
  static let reserveDays = 30

  /// - Parameters:
  ///   - names: The names and addresses in the certificate.
  ///   - needed: The names and addresses by which phones will connect.
  ///   - notBefore: Start of its validity. All times are in seconds since 1970.
  package static func isUsable(
    names: [String], needed: [String], notBefore: Int, notAfter: Int, now: Int
  ) -> Bool {
    Set(needed).isSubset(of: names) && notBefore <= now && now + reserveDays * 86_400 <= notAfter
  }
}

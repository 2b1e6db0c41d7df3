// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials
import NIOSSL
import ParallaxWebCore
import SwiftASN1
import X509

/// The self-signed certificate of the phone's server, for the names and addresses by which phones connect. It does
/// not certify others, so someone who steals its key can only pretend to be this server.
struct PhoneCertificate {
  private let certificate: Certificate
  private let key: P256.Signing.PrivateKey

  /// Makes a certificate.
  ///
  /// - Parameter names: Names and addresses.
  init(names: [String], now: Date = .now) throws {
    key = P256.Signing.PrivateKey()
    let name = try DistinguishedName { CommonName("parallax") }
    let signer = Certificate.PrivateKey(key)
    certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: signer.publicKey,
      // The clock of the phone may be late.
      notValidBefore: now.addingTimeInterval(-86_400),
      notValidAfter: now.addingTimeInterval(Double(PhoneCertificateRule.days) * 86_400),
      issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames(
          names.map { name in
            NetworkAddresses.bytes(name).map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
              ?? .dnsName(name)
          })
      },
      issuerPrivateKey: signer)
  }

  /// Reads a certificate and its key.
  init(pem text: String) throws {
    let documents = try PEMDocument.parseMultiple(pemString: text)
    guard documents.count == 2 else {
      throw ASN1Error.invalidPEMDocument(reason: "expected a certificate and a key")
    }
    certificate = try Certificate(pemDocument: documents[0])
    key = try P256.Signing.PrivateKey(pemRepresentation: documents[1].pemString)
    guard certificate.publicKey == Certificate.PrivateKey(key).publicKey else {
      throw ASN1Error.invalidPEMDocument(reason: "the key is not the certificate's")
    }
  }

  /// The certificate and its key, as in the file.
  func pem() throws -> String {
    "\(try certificate.serializeAsPEM().pemString)\n\(key.pemRepresentation)\n"
  }

  /// Whether it is used again.
  func isUsable(for needed: [String], now: Date = .now) -> Bool {
    PhoneCertificateRule.isUsable(
      names: names, needed: needed, notBefore: Self.seconds(certificate.notValidBefore),
      notAfter: Self.seconds(certificate.notValidAfter), now: Self.seconds(now))
  }

  private var names: [String] {
    ((try? certificate.extensions.subjectAlternativeNames) ?? SubjectAlternativeNames())
      .compactMap { name in
        switch name {
        case .dnsName(let name): name
        case .ipAddress(let address): NetworkAddresses.text(Array(address.bytes))
        default: nil
        }
      }
  }

  private static func seconds(_ date: Date) -> Int { Int(date.timeIntervalSince1970) }

  /// The SHA-256 fingerprint, as browsers show it: pairs of hexadecimal digits, separated by colons.
  func fingerprint() throws -> String {
    SHA256.hash(data: try der()).map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined(separator: ":")
  }

  /// What a server needs to use it.
  func context() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(try NIOSSLCertificate(bytes: try der(), format: .der))],
      privateKey: .privateKey(
        try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }

  private func der() throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }
}

extension PhoneCertificate {
  /// Returns the certificate that is kept, or a new one, which is kept from now on.
  ///
  /// - Parameter names: The names and addresses by which phones will connect.
  /// - Returns: with it, a warning if it cannot be kept.
  static func kept(
    for names: [String], file: PrivateFile = .state("phone.pem")
  ) throws -> (certificate: PhoneCertificate, warning: String?) {
    if let text = file.read(), let kept = try? PhoneCertificate(pem: text),
      kept.isUsable(for: names)
    {
      return (kept, nil)
    }
    let made = try PhoneCertificate(names: names)
    let reason = file.write(try made.pem())
    return (
      made, reason.map { "\($0); phones will warn about a new certificate next time" }
    )
  }
}

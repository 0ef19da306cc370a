internal import ProctorBase
internal import ProctorTLS

/// What a client shows of itself to a server that asks for a certificate (RFC 8446 §4.3.2): the certificate and its key.
public struct LoadIdentity: Sendable, Hashable {
    /// DER; the client's own first, then those between it and its root.
    public var chain: [[UInt8]]
    /// DER of the private key, PKCS #8 or traditional, without a passphrase.
    public var key: [UInt8]

    /// Nothing is checked here; what OpenSSL can't use fails the load with `clientCertificateRejected`.
    public init(chain: [[UInt8]], key: [UInt8]) {
        self.chain = chain
        self.key = key
    }

    /// From two PEM texts (RFC 7468): one or more certificates, and a key without a passphrase.
    ///
    /// Throws `clientCertificateRejected` where one of them holds no such thing.
    public init(certificatePEM: String, keyPEM: String) throws(LoadError) {
        let chain = PEMBlocks.list(of: ["CERTIFICATE"], in: certificatePEM)
        guard !chain.isEmpty else { throw Self.lacks("certificate", "-----BEGIN CERTIFICATE-----") }
        let keys = PEMBlocks.list(of: ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"], in: keyPEM)
        guard let key = keys.first else { throw Self.lacks("key", "-----BEGIN PRIVATE KEY-----") }
        self.init(chain: chain, key: key)
    }

    private static func lacks(_ part: String, _ label: String) -> LoadError {
        LoadError(
            .clientCertificateRejected, "the identity's \(part) holds no readable PEM block; expected \"\(label)\"")
    }

    /// As the TLS layer wants it.
    var clientIdentity: ClientIdentity { ClientIdentity(name: "", chain: chain, key: key) }
}

// Printed text, also of what an identity is part of, never shows the private key.
extension LoadIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length of the chain.
    public var description: String { "identity, \(chain.count) certificates" }
    /// The same.
    public var debugDescription: String { description }
    /// Without the key.
    public var customMirror: Mirror { Mirror(self, children: ["chain": chain]) }
}

/// The blocks of a PEM text (RFC 7468).
enum PEMBlocks {
    /// DER of every block with one of the labels, in order; blocks that are no base64 are left out.
    static func list(of labels: [String], in text: String) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var label: String?
        var digits: [UInt8] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if let begun = line.body(after: "-----BEGIN ") {
                label = begun
                digits = []
            } else if let ended = line.body(after: "-----END ") {
                if label == ended, labels.contains(ended), let der = try? Base64Text.decode(digits), !der.isEmpty {
                    blocks.append(der)
                }
                label = nil
            } else if label != nil {
                digits += Array(line.utf8)
            }
        }
        return blocks
    }
}

extension Substring {
    /// What stands between the dashes of a PEM boundary.
    fileprivate func body(after start: String) -> String? {
        let trimmed = String(decoding: utf8.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard trimmed.hasPrefix(start), trimmed.hasSuffix("-----") else { return nil }
        return String(trimmed.dropFirst(start.count).dropLast(5))
    }
}

import ProctorBase
public import ProctorHTTP

/// A hash function that the system's OpenSSL does not compute.
public struct HashRefusal: Error, Sendable, Equatable {
    /// The one that is missing.
    public let function: HashFunction
    /// In OpenSSL's words; nil where it computed something else.
    public let reason: String?

    /// The parts as they are.
    public init(function: HashFunction, reason: String?) {
        self.function = function
        self.reason = reason
    }
}

extension HashRefusal: CustomStringConvertible {
    /// For a person: what is missing, and what to do.
    public var description: String {
        let said = reason.map { ", which says \"\(PrintableText.of($0, limit: 200))\"" } ?? ""
        let help =
            function == .md5
            ? "a system in FIPS mode has no MD5: offer SHA-256, or run where OpenSSL's default provider is active"
            : "expected OpenSSL 3 with its default provider"
        return "Digest by \(function.name) can't be computed with the system's OpenSSL\(said); \(help)"
    }
}

extension HashFunction {
    var name: String {
        switch self {
        case .md5: "MD5"
        case .sha256: "SHA-256"
        case .sha512t256: "SHA-512-256"
        }
    }

    /// RFC 1321 §A.5 and the examples of FIPS 180-4.
    var hashOfABC: [UInt8] {
        switch self {
        case .md5: Self.bytes("900150983cd24fb0d6963f7d28e17f72")
        case .sha256: Self.bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        case .sha512t256: Self.bytes("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23")
        }
    }

    private static func bytes(_ digits: String) -> [UInt8] { (try? HexText.decode(Array(digits.utf8))) ?? [] }
}

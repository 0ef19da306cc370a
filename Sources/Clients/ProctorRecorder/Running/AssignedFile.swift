public import Foundation
public import ProctorProgram

/// A file that an assignment names, by its path or as a `data:` URL (RFC 2397) with its bytes.
package enum AssignedFile {
    /// The most bytes of a file; a few hundred authorities need a quarter of a MiB.
    private static let limit = 16 << 20
    private static let scheme = "data:"

    /// The bytes; nil when there is no such file, when it is too long, or when the `data:` URL is not in base64.
    package static func bytes(at name: String) -> Data? {
        if let data = inlineBytes(of: name) { return data }
        guard let file = FileHandle(forReadingAtPath: name) else { return nil }
        defer { try? file.close() }
        return try? file.read(upToCount: limit)
    }

    /// The bytes as text; nil as for ``bytes(at:)``.
    package static func text(at name: String) -> String? { bytes(at: name).map { String(decoding: $0, as: UTF8.self) } }

    /// The bytes of a data: URL; nil for a path.
    private static func inlineBytes(of name: String) -> Data? {
        guard name.hasPrefix(scheme), let comma = name.firstIndex(of: ","), name[..<comma].hasSuffix(";base64") else {
            return nil
        }
        return Data(base64Encoded: String(name[name.index(after: comma)...]))
    }

    /// DER of the first certificate in a PEM text (RFC 7468 §2); nil when there is none.
    package static func firstCertificate(in text: String) -> Data? {
        guard let begin = text.range(of: "-----BEGIN CERTIFICATE-----"),
            let end = text.range(of: "-----END CERTIFICATE-----", range: begin.upperBound..<text.endIndex)
        else { return nil }
        let base64 = String(text[begin.upperBound..<end.lowerBound])
        return Data(base64Encoded: base64, options: .ignoreUnknownCharacters).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Assignment.Identity {
    /// The bytes of its PKCS #12 file (RFC 7292), for `SecPKCS12Import`; nil where they can't be read.
    public var pkcs12Data: Data? { AssignedFile.bytes(at: pkcs12) }
}

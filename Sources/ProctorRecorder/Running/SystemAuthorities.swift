#if !canImport(Darwin)
    internal import Foundation

    /// The authorities that this process takes from the system.
    enum SystemAuthorities {
        /// Where libcurl of Debian's family looks; elsewhere it is the link of that name that the packages leave there.
        static let path = "/etc/ssl/certs/ca-certificates.crt"
        /// Bytes that are read of a list; a few hundred authorities have a quarter of a MiB.
        private static let limit = 16 << 20

        /// Why servers of an authority, a PEM file, are not trusted here, and what to do; nil: they are.
        static func reasonNotToTrust(_ authority: String) -> String? {
            guard let wanted = certificate(at: authority) else { return "\(authority) holds no certificate in PEM" }
            guard let list = text(at: path) else { return "there is no \(path) to hold it" }
            // Lines may be broken elsewhere.
            if list.filter({ !$0.isWhitespace }).contains(wanted) { return nil }
            return
                "\(path) does not hold that of \(authority): run the adapter where unprivileged mount namespaces are allowed, "
                + "or add it there"
        }

        /// The base64 of the first certificate of a file, without blanks.
        private static func certificate(at path: String) -> String? {
            guard let text = text(at: path), let begin = text.range(of: "-----BEGIN CERTIFICATE-----") else {
                return nil
            }
            guard let end = text.range(of: "-----END", range: begin.upperBound..<text.endIndex) else { return nil }
            let base64 = text[begin.upperBound..<end.lowerBound].filter { !$0.isWhitespace }
            return base64.isEmpty ? nil : base64
        }

        private static func text(at path: String) -> String? {
            guard let file = FileHandle(forReadingAtPath: path) else { return nil }
            defer { try? file.close() }
            return (try? file.read(upToCount: limit)).map { String(decoding: $0, as: UTF8.self) }
        }
    }
#endif

internal import ProctorBase
internal import ProctorScenario
import ProctorTLSWire

/// A server name with an unknown or contradictory label; one sentence, with the known labels.
package struct LabelRefusal: Error, Equatable, CustomStringConvertible {
    package let description: String
}

/// Settings in the server name for the shared port: `expired--tls1.2.proctor.test`.
///
/// Labels stand before `.proctor.test`, joined by `--`, each at most once. Any other name gets a valid certificate.
enum ServerNameLabels {
    static let suffix = ".proctor.test"
    static let separator = "--"

    /// `name` is in lower case; nil for a client without a server name.
    static func program(
        for name: String?, profiles: [String], changing usual: TLSProgram = TLSProgram()
    ) throws(LabelRefusal) -> TLSProgram {
        var program = usual
        guard let name, name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count else { return program }
        let text = String(name.dropLast(suffix.count))
        var versions: [TLSProgram.Version] = []
        var seen: [String] = []
        var hasCertificate = false
        for label in parts(of: text) {
            guard !seen.contains(label) else {
                throw LabelRefusal(description: "the server name '\(quoted(text))' says '\(quoted(label))' twice")
            }
            seen.append(label)
            if profiles.contains(label) {
                guard !hasCertificate else {
                    throw LabelRefusal(description: "the server name '\(quoted(text))' names two certificates")
                }
                hasCertificate = true
                program.certificate = label
            } else if let version = version(label) {
                versions.append(version)
            } else if let set = settings.first(where: { $0.label == label }) {
                set.apply(&program)
            } else {
                throw unknown(label, profiles)
            }
        }
        // These cipher suites need an RSA key.
        if !hasCertificate, program.ciphers != nil { program.certificate = "rsa2048" }
        if let oldest = versions.min(), let newest = versions.max() {
            program.oldest = oldest
            program.newest = newest
        }
        return program
    }

    /// `a--b` as `a` and `b`.
    private static func parts(of text: String) -> [String] {
        var parts: [String] = []
        var rest = text[...]
        while let mark = rest.firstRange(ofText: separator) {
            parts.append(String(rest[..<mark.lowerBound]))
            rest = rest[mark.upperBound...]
        }
        return parts + [String(rest)]
    }

    private static func version(_ label: String) -> TLSProgram.Version? {
        label.hasPrefix("tls") ? TLSProgram.Version(rawValue: String(label.dropFirst(3))) : nil
    }

    private static func unknown(_ label: String, _ profiles: [String]) -> LabelRefusal {
        let others = TLSProgram.Version.allCases.map { "tls\($0.rawValue)" } + settings.map(\.label)
        let hint = NearestName.find(label, in: profiles + others).map { "did you mean '\($0)'? " } ?? ""
        return LabelRefusal(
            description: "the server name's label '\(quoted(label))' is unknown; \(hint)there are the certificates "
                + "\(profiles.joined(separator: " ")) and \(others.joined(separator: " "))")
    }

    private static func quoted(_ text: String) -> String { EscapedText.escape(text.utf8, limit: 80) }

    struct Setting: Sendable {
        let label: String
        let apply: @Sendable (inout TLSProgram) -> Void
    }

    static let settings: [Setting] = [
        Setting(label: "sni-refused") { $0.serverName = .refuse },
        Setting(label: "sni-warned") { $0.serverName = .warn },
        Setting(label: "alpn-ignored") { $0.applicationProtocols = .ignore },
        Setting(label: "alpn-refused") { $0.applicationProtocols = .refuse },
        Setting(label: "alpn-h2") { $0.applicationProtocols = .force("h2") },
        Setting(label: "resumption-off") { $0.resumption = .off },
        Setting(label: "resumption-refused") { $0.resumption = .refuse },
        Setting(label: "client-requested") { $0.clientCertificate = .request },
        Setting(label: "client-required") { $0.clientCertificate = .require },
        Setting(label: "client-after-handshake") { $0.clientCertificate = .afterHandshake },
        Setting(label: "client-others") { $0.clientAuthorities = .others },
        Setting(label: "cbc") { $0.offers("ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA") },
        Setting(label: "static-rsa") { $0.offers("AES128-SHA:AES128-GCM-SHA256") },
        Setting(label: "null") { $0.offers("NULL-SHA256:ECDHE-RSA-NULL-SHA:ECDHE-ECDSA-NULL-SHA") },
        Setting(label: "dh512") { $0.offersOnlyDH(bits: 512) },
        Setting(label: "dh1024") { $0.offersOnlyDH(bits: 1024) },
        Setting(label: "dh2048") { $0.offersOnlyDH(bits: 2048) },
    ]
}

extension TLSProgram {
    /// Up to TLS 1.2, since TLS 1.3 has its own suites.
    fileprivate mutating func offers(_ list: String) {
        ciphers = list
        newest = .tls12
    }

    fileprivate mutating func offersOnlyDH(bits: Int) {
        offers("DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES128-SHA")
        dhBits = bits
    }
}

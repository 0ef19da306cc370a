internal import ProctorBase
package import ProctorJournal
internal import ProctorReplies
package import ProctorTLS
package import ProctorTLSWire

extension ClientHelloNote {
    /// At most 256 entries of each list and 255 bytes of each name; omitted entries are counted.
    package init(_ hello: ClientHello) {
        self.init(
            versions: Self.list(hello.versions, TLSNames.version),
            cipherSuites: Self.list(hello.cipherSuites, TLSNames.cipherSuite),
            serverName: hello.serverName.map(Self.name),
            applicationProtocols: Self.list(hello.applicationProtocols, Self.name),
            extensions: Self.list(hello.extensions, TLSNames.extension),
            groups: Self.list(hello.groups, TLSNames.group), byteCount: hello.byteCount)
    }

    private static let entryLimit = 256

    private static func list<Entry>(_ entries: [Entry], _ text: (Entry) -> String) -> [String] {
        let texts = entries.prefix(entryLimit).map(text)
        return entries.count > entryLimit ? texts + ["… \(entries.count - entryLimit) more"] : texts
    }

    /// The longest name in DNS and in ALPN (RFC 7301 §3.1).
    private static func name(_ bytes: [UInt8]) -> String { EscapedText.escape(bytes, limit: 255) }
}

extension HandshakeNote {
    /// `authority` knows the client's certificate if it has made it.
    package init(_ report: TLSReport, profile: String, authority: Authority?) {
        var client: String?
        if let certificate = report.peerChain.first {
            let facts = authority?.facts(of: certificate)
            client = facts.map { $0.name ?? $0.subject } ?? ""
        }
        self.init(
            version: report.version?.rawValue ?? "", cipherSuite: report.cipherSuiteName ?? "", group: report.groupName,
            applicationProtocol: report.applicationProtocol.map { String(decoding: $0, as: UTF8.self) },
            serverName: report.serverName, isResumed: report.isResumed, certificate: profile,
            clientCertificate: client)
    }
}

extension AlertNote {
    package init(_ alert: TLSAlert) {
        self.init(
            by: alert.isOurs ? .server : .client, isFatal: alert.isFatal, number: alert.number, name: alert.name)
    }
}

import ProctorBase
package import ProctorDocument

package struct ProfileTables {
    private let catalog: CertificateCatalog
    private let map: BadSSLMap

    package init(catalog: CertificateCatalog, map: BadSSLMap) {
        (self.catalog, self.map) = (catalog, map)
    }

    /// All three tables, each with its heading.
    package var markdown: String {
        [
            "### Certificates of servers\n\n" + servers, "### Client identities\n\n" + clients,
            "### Hosts of badssl.com\n\n" + hosts,
        ].joined(separator: "\n")
    }

    private var servers: String {
        let rows = catalog.names.compactMap { catalog.profiles[$0] }.map { profile in
            let needs = Self.needs(of: profile)
            return [
                "`\(profile.name)`", Self.sentence(profile), "\(profile.verdict.rawValue)",
                Self.exceptions(of: profile),
                needs,
            ]
        }
        return Self.table(["profile", "what it is", "verdict", "who differs", "needs"], rows)
    }

    private var clients: String {
        let rows = catalog.clientNames.compactMap { catalog.clients[$0] }.map { profile in
            ["`\(profile.name)`", Self.sentence(profile), profile.verdict.rawValue]
        }
        return Self.table(["identity", "what it is", "verdict"], rows)
    }

    private var hosts: String {
        var rows: [[String]] = []
        for name in catalog.names {
            for host in catalog.profiles[name]?.badssl ?? [] {
                rows.append([host, "certificate", "`\(name)`, `tls/cert/\(name)`", ""])
            }
        }
        for group in map.groups {
            for host in group.hosts {
                switch host.entry {
                case .scenario(let id): rows.append([host.name, group.name, "`\(id)`", ""])
                case .absent(let why): rows.append([host.name, group.name, "not offered", why])
                }
            }
        }
        rows.sort { ($0[1], $0[0]) < ($1[1], $1[0]) }
        return Self.table(["host", "group", "here", "why not"], rows)
    }

    private static func sentence(_ profile: CertificateProfile) -> String {
        profile.summary + (profile.wrong.map { ": \($0)" } ?? "")
    }

    /// Programs with the same reason are listed together.
    private static func exceptions(of profile: CertificateProfile) -> String {
        var reasons: [(why: String, verdict: String, judges: [String])] = []
        for exception in profile.exceptions {
            if let index = reasons.firstIndex(where: { $0.why == exception.why }) {
                reasons[index].judges.append(exception.judge.rawValue)
            } else {
                reasons.append((exception.why, exception.verdict.rawValue, [exception.judge.rawValue]))
            }
        }
        return reasons.map { "\($0.judges.joined(separator: ", ")) \($0.verdict): \($0.why)" }.joined(separator: "; ")
    }

    private static func needs(of profile: CertificateProfile) -> String {
        var needs: [String] = []
        if profile.neededSecurityLevel < 2 { needs.append("security level \(profile.neededSecurityLevel)") }
        if profile.key == .rsa512 { needs.append("TLS 1.2 at most") }
        return needs.joined(separator: ", ")
    }

    private static func table(_ columns: [String], _ rows: [[String]]) -> String {
        let lines = [columns, columns.map { _ in "---" }] + rows
        // `|` would end a table cell.
        return lines.map { line in
            "| " + line.map { $0.replacing(text: "|", with: "\\|") }.joined(separator: " | ") + " |\n"
        }
        .joined()
    }
}

/// Maps hosts of badssl.com that do not test certificates to scenarios: `certs/badssl.yaml`.
package struct BadSSLMap: Sendable {
    /// The scenario for one host, or why there is none.
    package enum Entry: Sendable, Equatable {
        /// The id of the scenario with the same behaviour.
        case scenario(String)
        /// Why there is no such scenario.
        case absent(String)
    }

    /// Hosts without the domain; groups and hosts in the order of the file.
    package private(set) var groups: [(name: String, hosts: [(name: String, entry: Entry)])] = []

    package init() {}

    /// `file` is the name in diagnostics.
    package static func parse(_ bytes: [UInt8], file: String) -> (map: BadSSLMap, diagnostics: [Diagnostic]) {
        var map = BadSSLMap()
        let document = Document.parse(bytes, file: file)
        guard let root = document.root, document.diagnostics.isEmpty else { return (map, document.diagnostics) }
        let sink = DiagnosticSink()
        let keys = ["certificate", "cipher", "key-exchange", "protocol", "client"]
        for group in MappingReader(root, "the hosts of badssl.com", keys: keys, sink: sink)?.entries ?? [] {
            guard let hosts = group.value.entries else {
                sink.report(group.value, "expected hosts as a mapping, found \(group.value.found)")
                continue
            }
            let entries = hosts.compactMap { host in entry(host.value, sink).map { (name: host.key, entry: $0) } }
            map.groups.append((group.key, entries))
        }
        return (map, sink.sorted())
    }

    private static func entry(_ node: Node, _ sink: DiagnosticSink) -> Entry? {
        if let scenario = node.text { return .scenario(scenario) }
        let shape = "the id of a scenario, or { why: … }"
        let fields = MappingReader(node, "a host", keys: ["why"], shape: shape, sink: sink)
        return fields?.required("why").flatMap { sink.nonEmptyText($0, "a reason") }.map(Entry.absent)
    }
}

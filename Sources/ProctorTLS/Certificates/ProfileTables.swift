/// The tables of Docs/tls.md, made from the profiles so that they can't drift from them.
package struct ProfileTables {
    private let catalog: CertificateCatalog
    private let map: BadSSLMap

    /// The profiles that are shipped.
    package init(catalog: CertificateCatalog, map: BadSSLMap) {
        self.catalog = catalog
        self.map = map
    }

    /// All three, each under its heading.
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

    /// Judges with the same reason stand together.
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
        // A bar would end a cell.
        return lines.map { line in "| " + line.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
        }
        .joined()
    }
}

import ProctorBase
public import ProctorDocument

extension CertificateProfile {
    /// Reads one file, which diagnostics call `file`; nil when anything is wrong with it.
    public static func parse(
        _ bytes: [UInt8], name: String, role: Role, file: String
    ) -> (profile: CertificateProfile?, diagnostics: [Diagnostic]) {
        let document = Document.parse(bytes, file: file)
        guard let root = document.root, document.diagnostics.isEmpty else { return (nil, document.diagnostics) }
        let sink = DiagnosticSink()
        let profile = ProfileReader(sink: sink, name: name, role: role).read(root)
        let diagnostics = sink.sorted()
        return (diagnostics.isEmpty ? profile : nil, diagnostics)
    }
}

/// Reads a profile out of its document; reports everything that is wrong and goes on.
struct ProfileReader {
    let sink: DiagnosticSink
    let name: String
    let role: CertificateProfile.Role

    private static let common = [
        "summary", "wrong", "key", "digest", "subject", "validity", "usage", "extended-usage", "issuers", "anchor",
        "sends", "revocation", "serial", "extensions", "verdict", "openssl", "exceptions",
    ]
    private static let ofServers = ["badssl", "names", "staple", "must-staple"]

    func read(_ root: Node) -> CertificateProfile? {
        let what = role == .server ? "a certificate profile" : "a client identity"
        let keys = role == .server ? Self.common + Self.ofServers : Self.common
        let misplaced = Dictionary(
            uniqueKeysWithValues: Self.ofServers.map { ($0, "it is for certificates of servers") })
        guard
            let map = MappingReader(root, what, keys: keys, hints: role == .server ? [:] : misplaced, sink: sink)
        else { return nil }
        if !Self.isIdentifier(name) {
            sink.report(
                root, "a profile is called by its file, and \(quoted(name)) is no name: expected a-z, 0-9 and -")
        }
        guard let summary = map.required("summary").flatMap({ sink.nonEmptyText($0, "a summary") }),
            let verdict = map.required("verdict", hint: "accept or refuse: what a client must make of it").flatMap({
                sink.choice($0, "a verdict", among: CertificateProfile.Verdict.self)
            })
        else { return nil }
        var profile = CertificateProfile(name: name, role: role, summary: summary, location: root.location)
        profile.verdict = verdict
        readWords(map, &profile)
        readLeaf(map, &profile)
        readChain(map, &profile)
        readRevocation(map, &profile)
        check(profile, map)
        return profile
    }

    private func readWords(_ map: MappingReader, _ profile: inout CertificateProfile) {
        profile.wrong = map["wrong"].flatMap { sink.nonEmptyText($0, "what is wrong") }
        profile.openssl = map["openssl"].flatMap { sink.nonEmptyText($0, "OpenSSL's words") }
        if let node = map["badssl"] {
            profile.badssl = sink.texts(node, "hosts of badssl.com", limit: 20).map(\.text)
        }
        guard let node = map["exceptions"] else { return }
        let judges = CertificateProfile.Judge.allCases.map(\.rawValue)
        guard let exceptions = MappingReader(node, "exceptions", keys: judges, sink: sink) else { return }
        for entry in exceptions.entries {
            guard let judge = CertificateProfile.Judge(rawValue: entry.key),
                let fields = MappingReader(entry.value, "an exception", keys: ["verdict", "why"], sink: sink),
                let verdict = fields.required("verdict").flatMap({
                    sink.choice($0, "a verdict", among: CertificateProfile.Verdict.self)
                }), let why = fields.required("why").flatMap({ sink.nonEmptyText($0, "a reason") })
            else { continue }
            profile.exceptions.append(CertificateProfile.Exception(judge: judge, verdict: verdict, why: why))
        }
    }

    /// What can't be both, and what must be said.
    private func check(_ profile: CertificateProfile, _ map: MappingReader) {
        if profile.verdict == .refuse, map["wrong"] == nil {
            sink.report(
                map.node, "a certificate to be refused needs the key \"wrong\"", hint: "say which rule it breaks")
        }
        if profile.anchor == .itself, let node = map["issuers"] {
            sink.report(node, "a certificate that signs itself has no issuers")
        }
        if profile.anchor == .itself, profile.key != .ed25519, profile.key.rawValue.hasPrefix("ecc"),
            profile.digest == .md5, let node = map["digest"] ?? map["key"]
        {
            sink.report(node, "there are no ECDSA signatures with MD5")
        }
        if profile.staple != nil || profile.revocation != nil, profile.anchor != .authority || !profile.issuers.isEmpty,
            let node = map["staple"] ?? map["revocation"]
        {
            sink.report(
                node, "only what the authority signs itself can be revoked or stapled",
                hint: "take 'issuers' and 'anchor' away")
        }
    }

    /// `a-z`, digits and single hyphens; what an SNI label can hold, with `--` left for joining.
    private static func isIdentifier(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 40 && !name.contains("--") && !name.hasPrefix("-") && !name.hasSuffix("-")
            && name.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    }
}

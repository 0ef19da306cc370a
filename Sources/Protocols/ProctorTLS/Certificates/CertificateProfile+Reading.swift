internal import ProctorBase
package import ProctorDocument

extension CertificateProfile {
    /// `file` is the name in diagnostics; nil after any error.
    package static func parse(
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

/// Reads a profile from its document, and reports all errors.
struct ProfileReader {
    let sink: DiagnosticSink
    let name: String
    let role: CertificateProfile.Role

    private static let common = [
        "summary", "wrong", "key", "digest", "subject", "validity", "usage", "extended-usage", "issuers", "others",
        "anchor", "sends", "revocation", "serial", "extensions", "verdict", "openssl", "exceptions",
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
                sink.choice($0, "a verdict", among: Profile.Verdict.self)
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

    /// Reports contradictions and missing values.
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

    /// Letters `a-z`, digits and single hyphens, legal in an SNI label; `--` joins names.
    private static func isIdentifier(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 40 && !name.contains(text: "--") && !name.hasPrefix("-")
            && !name.hasSuffix("-")
            && name.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    }

    typealias Profile = CertificateProfile

    /// Reads one of the enumeration's words; keeps the present value if the key is missing.
    private func choose<Choice: RawRepresentable<String> & CaseIterable>(
        _ node: Node?, _ what: String, into value: inout Choice
    ) {
        if let choice = node.flatMap({ sink.choice($0, what, among: Choice.self) }) { value = choice }
    }

    private func readLeaf(_ map: MappingReader, _ profile: inout Profile) {
        choose(map["key"], "a key", into: &profile.key)
        choose(map["digest"], "a digest", into: &profile.digest)
        if let node = map["subject"] { profile.subject = subject(node) }
        if let node = map["names"] { profile.names = names(node) }
        if let node = map["validity"], let validity = validity(node) { profile.validity = validity }
        if profile.role == .client { profile.subject.commonName = profile.subject.commonName ?? profile.name }
        profile.extendedUsage = profile.role == .server ? [.serverAuth] : [.clientAuth]
        if let node = map["usage"] { profile.usage = choices(node, "a key usage") }
        if let node = map["extended-usage"] { profile.extendedUsage = choices(node, "an extended key usage") }
        if let node = map["serial"], let number = sink.integer(node, "a serial number", in: 1...Int(UInt32.max)) {
            profile.serial = UInt32(number)
        }
        if let node = map["extensions"] {
            profile.extensions = (sink.list(node, "extensions", limit: 20) ?? []).compactMap(self.extra)
        }
    }

    private func validity(_ node: Node) -> Profile.Validity? {
        guard let map = MappingReader(node, "a validity", keys: ["from", "until"], sink: sink),
            let from = map.required("from").flatMap(days), let until = map.required("until").flatMap(days)
        else { return nil }
        if from > until { sink.report(node, "the certificate would end before it begins") }
        return Profile.Validity(from: from, until: until)
    }

    /// A number of days, such as `-10d`.
    private func days(_ node: Node) -> Int? {
        guard let text = sink.text(node, "a date in days from today") else { return nil }
        let number = text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard number.hasSuffix("d"), let days = Int(number.dropLast()), abs(days) <= 20_000 else {
            sink.report(node, "expected days from today like -10d or 397d, at most 20000d, found \(quoted(text))")
            return nil
        }
        return days
    }

    private func subject(_ node: Node) -> Profile.Subject {
        var subject = Profile.Subject()
        if node.text == "none" {
            subject.commonName = nil
            subject.organization = nil
            return subject
        }
        let keys = ["common-name", "organization"]
        guard
            let map = MappingReader(node, "a subject", keys: keys, shape: "or none, for an empty one", sink: sink)
        else { return subject }
        if let text = map["common-name"].flatMap({ sink.nonEmptyText($0, "a common name") }) {
            subject.commonName = text == "none" ? nil : text
        }
        if let text = map["organization"].flatMap({ sink.nonEmptyText($0, "an organization") }) {
            subject.organization = text == "none" ? nil : text
        }
        return subject
    }

    private func names(_ node: Node) -> Profile.AlternativeNames {
        var names = Profile.AlternativeNames()
        if node.text == "none" {
            names.hosts = .list([])
            names.addresses = .list([])
            return names
        }
        let keys = ["hosts", "addresses", "filler"]
        guard
            let map = MappingReader(node, "names", keys: keys, shape: "or none, for no such extension", sink: sink)
        else { return names }
        if let node = map["hosts"] { names.hosts = source(node, "hosts", mayBeWildcard: true) }
        if let node = map["addresses"] {
            names.addresses = source(node, "addresses", mayBeWildcard: false)
            if case .list(let list) = names.addresses {
                for text in list where IPAddressBytes.parse(text) == nil {
                    sink.report(node, "expected IP addresses, found \(quoted(text))")
                }
            }
        }
        if let node = map["filler"], let count = sink.integer(node, "a number of names", in: 1...20_000) {
            names.fillerCount = count
        }
        return names
    }

    private func source(_ node: Node, _ what: String, mayBeWildcard: Bool) -> Profile.AlternativeNames.Source {
        switch node.text {
        case "own": return .own
        case "none": return .list([])
        case "wildcard" where mayBeWildcard: return .wildcard
        case let text?:
            let known = mayBeWildcard ? ["own", "none", "wildcard"] : ["own", "none"]
            sink.report(
                node, "expected \(what) as a list, or \(known.joined(separator: ", ")), found \(quoted(text))",
                hint: DiagnosticSink.hint(for: text, among: known))
            return .own
        case nil: return .list(sink.texts(node, what, limit: 100).map(\.text))
        }
    }

    /// A list of choices, or `none` to omit the extension.
    private func choices<Choice: RawRepresentable<String> & CaseIterable>(_ node: Node, _ what: String) -> [Choice]? {
        if node.text == "none" { return nil }
        guard let items = sink.list(node, what, limit: 20) else { return [] }
        return items.compactMap { sink.choice($0, what, among: Choice.self) }
    }

    private func extra(_ node: Node) -> Profile.Extra? {
        let keys = ["oid", "critical", "hex", "bytes"]
        guard let map = MappingReader(node, "an extension", keys: keys, sink: sink),
            let oidNode = map.required("oid"), let oid = sink.text(oidNode, "an object identifier")
        else { return nil }
        let arcs = oid.split(separator: ".", omittingEmptySubsequences: false)
        guard arcs.count >= 2, arcs.count <= 20, arcs.allSatisfy({ UInt32($0) != nil }), let first = UInt32(arcs[0]),
            first <= 2, first == 2 || UInt32(arcs[1]) ?? 40 < 40
        else {
            sink.report(oidNode, "expected an object identifier like 1.3.6.1.4.1.32473.1, found \(quoted(oid))")
            return nil
        }
        let isCritical = map["critical"].flatMap { sink.boolean($0, "whether it is critical") } ?? false
        if map["hex"] != nil, let node = map["bytes"] {
            sink.report(node, "an extension has either \"hex\" or \"bytes\", not both")
        }
        if let node = map["bytes"] {
            // The value is an OCTET STRING of zeros, so the extension is valid DER.
            let count = sink.integer(node, "a number of bytes", in: 0...1_000_000) ?? 0
            return Profile.Extra(
                oid: oid, isCritical: isCritical, value: DER.octets([UInt8](repeating: 0, count: count)))
        }
        guard let hex = map["hex"] else { return Profile.Extra(oid: oid, isCritical: isCritical, value: DER.null) }
        guard let text = sink.text(hex, "hexadecimal digits") else { return nil }
        do throws(EncodedTextError) {
            return Profile.Extra(oid: oid, isCritical: isCritical, value: try HexText.decode(Array(text.utf8)))
        } catch {
            sink.report(hex.location(ofTextOffset: error.offset), error.sentence)
            return nil
        }
    }

    /// The keys about issuers and root.
    private func readChain(_ map: MappingReader, _ profile: inout Profile) {
        choose(map["anchor"], "an anchor", into: &profile.anchor)
        choose(map["sends"], "what is sent", into: &profile.sends)
        var names: Set<String> = []
        for item in map["issuers"].flatMap({ sink.list($0, "issuers", limit: 20) }) ?? [] {
            guard let issuer = issuer(item) else { continue }
            if names.insert(issuer.name).inserted {
                profile.issuers.append(issuer)
            } else {
                sink.report(item, "there are two issuers \(quoted(issuer.name))")
            }
        }
        for item in map["others"].flatMap({ sink.list($0, "other certificates", limit: 20) }) ?? [] {
            if let other = other(item, issuers: profile.issuers) { profile.others.append(other) }
        }
    }

    private static let issuerKeys = [
        "name", "key", "digest", "validity", "authority", "path-length", "usage", "extended-usage", "permitted",
        "excluded", "extensions",
    ]

    private func issuer(_ node: Node) -> Profile.Issuer? {
        if node.text != nil { return name(node).map { Profile.Issuer(name: $0) } }
        guard
            let map = MappingReader(node, "an issuer", keys: Self.issuerKeys, shape: "or its name alone", sink: sink)
        else { return nil }
        return issuer(map)
    }

    private func issuer(_ map: MappingReader) -> Profile.Issuer? {
        guard let name = map.required("name").flatMap(name) else { return nil }
        var issuer = Profile.Issuer(name: name)
        choose(map["key"], "a key", into: &issuer.key)
        choose(map["digest"], "a digest", into: &issuer.digest)
        if let node = map["validity"], let validity = validity(node) { issuer.validity = validity }
        if let node = map["authority"] {
            issuer.isAuthority = node.text == "absent" ? nil : sink.boolean(node, "whether it may sign")
        }
        issuer.pathLength = map["path-length"].flatMap { sink.integer($0, "a path length", in: 0...100) }
        if let node = map["usage"] { issuer.usage = choices(node, "a key usage") }
        if let node = map["extended-usage"] { issuer.extendedUsage = choices(node, "an extended key usage") }
        if let node = map["permitted"] { issuer.permitted = subtrees(node) }
        if let node = map["excluded"] { issuer.excluded = subtrees(node) }
        if let node = map["extensions"] {
            issuer.extensions = (sink.list(node, "extensions", limit: 20) ?? []).compactMap(self.extra)
        }
        return issuer
    }

    /// A certificate beside the path; without a key of its own it has that of the issuer of its name.
    private func other(_ node: Node, issuers: [Profile.Issuer]) -> Profile.Other? {
        let keys = Self.issuerKeys + ["below", "place"]
        guard let map = MappingReader(node, "another certificate", keys: keys, sink: sink), var issuer = issuer(map)
        else { return nil }
        if let again = issuers.first(where: { $0.name == issuer.name }) {
            if let node = map["key"], issuer.key != again.key {
                sink.report(node, "the issuer \(quoted(issuer.name)) has a key of the kind \(again.key.rawValue)")
            }
            issuer.key = again.key
        }
        var other = Profile.Other(issuer: issuer)
        switch map["below"]?.text {
        case nil, "authority": break
        case "stranger": other.signer = .untrusted
        case let name? where issuers.contains { $0.name == name }: other.signer = .issuer(name)
        case let name?:
            sink.report(
                map.node, "expected the signer as authority, stranger or one of the issuers, found \(quoted(name))",
                hint: DiagnosticSink.hint(for: name, among: ["authority", "stranger"] + issuers.map(\.name)))
        }
        if let node = map["place"] { other.isFirst = sink.choice(node, "a place", among: Place.self) == .first }
        return other
    }

    private enum Place: String, CaseIterable { case first, last }

    /// Hosts and addresses in one list: `[example.org, 127.0.0.0/8]`.
    private func subtrees(_ node: Node) -> Profile.Subtrees {
        var subtrees = Profile.Subtrees()
        for (text, _) in sink.texts(node, "names", limit: 20) {
            guard text.contains("/") else {
                subtrees.hosts.append(text)
                continue
            }
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let address = IPAddressBytes.parse(String(parts[0])), let bits = Int(parts[1]),
                0...address.count * 8 ~= bits
            else {
                sink.report(node, "expected hosts, and networks like 127.0.0.0/8, found \(quoted(text))")
                continue
            }
            let mask = (0..<address.count).map { UInt8(truncatingIfNeeded: 0xFF00 >> min(8, max(0, bits - $0 * 8))) }
            subtrees.networks.append(address + mask)
        }
        return subtrees
    }

    private func name(_ node: Node) -> String? {
        guard let text = sink.nonEmptyText(node, "the name of an issuer") else { return nil }
        let isGood = text.utf8.count <= 20 && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 }
        if !isGood { sink.report(node, "expected an issuer's name of a-z and 0-9, found \(quoted(text))") }
        return isGood ? text : nil
    }

    /// The keys about CRL, OCSP and staples.
    private func readRevocation(_ map: MappingReader, _ profile: inout Profile) {
        profile.revocation = map["revocation"].flatMap { sink.choice($0, "a status", among: Profile.Status.self) }
        profile.staple = map["staple"].flatMap { sink.choice($0, "a staple", among: Profile.Staple.self) }
        profile.mustStaple = map["must-staple"].flatMap { sink.boolean($0, "whether a staple is promised") } ?? false
    }
}

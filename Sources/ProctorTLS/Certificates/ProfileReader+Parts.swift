import ProctorBase
import ProctorDocument

extension ProfileReader {
    typealias Profile = CertificateProfile

    /// What stands in the leaf itself.
    func readLeaf(_ map: MappingReader, _ profile: inout Profile) {
        if let node = map["key"], let key = sink.choice(node, "a key", among: Profile.KeyKind.self) {
            profile.key = key
        }
        if let node = map["digest"], let digest = sink.choice(node, "a digest", among: Profile.Digest.self) {
            profile.digest = digest
        }
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

    func validity(_ node: Node) -> Profile.Validity? {
        guard let map = MappingReader(node, "a validity", keys: ["from", "until"], sink: sink),
            let from = map.required("from").flatMap(days), let until = map.required("until").flatMap(days)
        else { return nil }
        if from > until { sink.report(node, "the certificate would end before it begins") }
        return Profile.Validity(from: from, until: until)
    }

    /// `-10d`.
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
        if let node = map["common-name"], let text = sink.nonEmptyText(node, "a common name") {
            subject.commonName = text == "none" ? nil : text
        }
        if let node = map["organization"], let text = sink.nonEmptyText(node, "an organization") {
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
                for text in list where IPAddressBytes.of(text) == nil {
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

    /// A list of choices, or `none` to leave the extension out.
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
            // An OCTET STRING of zeros, so that the extension is DER all through.
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
}

import ProctorBase
import ProctorDocument

/// A scheme and where it stands, for checks that need the whole guard.
struct ReadScheme {
    let node: Node
    /// nil after a diagnostic.
    let value: Guard.Scheme?
    /// As the file names it.
    let name: SchemeName?
}

/// The names of schemes in fixtures.
enum SchemeName: String, CaseIterable {
    case basic, digest, bearer, ntlm, negotiate, verbatim
}

/// What a guard offers.
extension ScenarioReader {
    /// `schemes:` in the order of the offer.
    func schemes(_ node: Node) -> [ReadScheme] {
        // One scheme alone needs no list.
        let nodes = node.items == nil ? [node] : sink.list(node, "schemes", limit: Bounds.schemes) ?? []
        if node.items?.isEmpty == true { sink.report(node, "a list of schemes needs at least one") }
        return nodes.map { item in
            let (name, details) = schemeName(item)
            return ReadScheme(node: item, value: name.flatMap { scheme($0, details, at: item) }, name: name)
        }
    }

    /// A name alone, or the only key of a mapping with its value.
    private func schemeName(_ node: Node) -> (SchemeName?, Node?) {
        if let entries = node.entries {
            guard entries.count == 1, let entry = entries.first else {
                sink.report(
                    node, "expected a scheme as a name or as a mapping with one key, found \(entries.count) keys",
                    hint: "write each scheme as an item of its own")
                return (nil, nil)
            }
            return (knownScheme(entry.key, entry.keyNode), entry.value.isNull ? nil : entry.value)
        }
        guard let text = sink.text(node, "a scheme") else { return (nil, nil) }
        return (knownScheme(text, node), nil)
    }

    private func knownScheme(_ name: String, _ node: Node) -> SchemeName? {
        if let known = SchemeName(rawValue: name) { return known }
        let hint = NearestName.find(name, in: SchemeName.allCases.map(\.rawValue)).map { "did you mean \(quoted($0))?" }
        sink.report(
            node, "unknown scheme \(quoted(name))",
            hint: hint
                ?? "permitted: \(SchemeName.allCases.map(\.rawValue).joined(separator: ", ")); "
                + "write verbatim: TEXT to offer any other")
        return nil
    }

    private func scheme(_ name: SchemeName, _ details: Node?, at node: Node) -> Guard.Scheme? {
        switch name {
        case .basic: return basic(details).map { .basic($0) }
        case .digest: return digest(details).map { .digest($0) }
        case .bearer: return bearer(details).map { .bearer($0) }
        case .ntlm: return messages("NTLM", name, details, at: node).map { .messages($0) }
        case .negotiate: return messages("Negotiate", name, details, at: node).map { .messages($0) }
        case .verbatim:
            guard let details else {
                sink.report(
                    node, "\"verbatim\" needs the text of a challenge", hint: "write verbatim: \"\" for an empty field")
                return nil
            }
            return headText(details, "a challenge").map { .verbatim($0) }
        }
    }

    private func basic(_ node: Node?) -> Guard.BasicOffer? {
        guard let node else { return Guard.BasicOffer() }
        return MappingReader(node, "basic", keys: ["charset", "says", "spelled"], sink: sink).map { reader in
            Guard.BasicOffer(
                charset: reader["charset"].flatMap(charset),
                overrides: reader["says"].map { says($0, "Basic", ["realm", "charset"]) } ?? [],
                spelling: reader["spelled"].flatMap { spelling($0, of: "Basic") })
        }
    }

    private func bearer(_ node: Node?) -> Guard.BearerOffer? {
        guard let node else { return Guard.BearerOffer() }
        return MappingReader(node, "bearer", keys: ["scope", "in", "says", "spelled"], sink: sink).map { reader in
            let names = ["realm", "scope", "error", "error_description", "error_uri"]
            return Guard.BearerOffer(
                scopes: reader["scope"].map(scopes) ?? [],
                places: reader["in"].map(places) ?? [.header],
                overrides: reader["says"].map { says($0, "Bearer", names) } ?? [],
                spelling: reader["spelled"].flatMap { spelling($0, of: "Bearer") })
        }
    }

    private func places(_ node: Node) -> Set<Guard.BearerOffer.Place> {
        if node.items?.isEmpty == true { sink.report(node, "a list of places needs at least one") }
        let nodes = node.items == nil ? [node] : sink.list(node, "places", limit: Bounds.schemes) ?? []
        return Set(nodes.compactMap { sink.choice($0, "a place of a token", among: Guard.BearerOffer.Place.self) })
    }

    private func messages(_ scheme: String, _ name: SchemeName, _ details: Node?, at node: Node) -> Guard.MessageOffer?
    {
        guard let details else {
            sink.report(
                node, "\(quoted(name.rawValue)) needs \"offer-only\": nothing of it is verified",
                hint: "write \(name.rawValue): { offer-only: [] } to admit the first message")
            return nil
        }
        guard let reader = MappingReader(details, name.rawValue, keys: ["offer-only", "spelled"], sink: sink),
            let list = reader.required("offer-only"),
            let items = sink.list(list, "messages", limit: Bounds.messages)
        else { return nil }
        return Guard.MessageOffer(
            scheme: reader["spelled"].flatMap { spelling($0, of: scheme) } ?? scheme,
            tokens: items.compactMap { token68($0, "a message", "RFC 9110 §11.2") })
    }

    /// `spelled:`, the name of the scheme in other letters (RFC 9110 §11.1: it is compared without regard to case).
    func spelling(_ node: Node, of scheme: String) -> String? {
        guard let text = sink.text(node, "a scheme's name") else { return nil }
        if text.lowercased() == scheme.lowercased() { return text }
        sink.report(
            node, "\(quoted(text)) is no spelling of \(scheme): only the case of its letters may differ",
            hint: "write verbatim: TEXT to offer another scheme")
        return nil
    }

    // MARK: Parameters

    private enum Charset: String, CaseIterable { case utf8 = "UTF-8" }

    /// The only one that a challenge may name (RFC 7617 §2.1, RFC 7616 §4).
    func charset(_ node: Node) -> String? {
        sink.choice(node, "a charset", among: Charset.self)?.rawValue
    }

    /// `says:` as a mapping from parameter to what stands behind its `=`.
    ///
    /// `names` are those that a challenge of the scheme can have by itself.
    func says(_ node: Node, _ scheme: String, _ names: [String]) -> [Guard.ParameterOverride] {
        guard let entries = node.entries else {
            sink.report(node, "expected says as a mapping from parameter to text, found \(node.found)")
            return []
        }
        guard entries.count <= Bounds.overrides else {
            sink.report(node, "there are \(entries.count) parameters; at most \(Bounds.overrides) are permitted")
            return []
        }
        // One that is left out may be written again in another case.
        var written: [String] = []
        return entries.compactMap { entry in
            let name = entry.key.lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
                sink.report(
                    entry.keyNode,
                    "expected the name of a parameter as a token (RFC 9110 §11.2), found \(quoted(entry.key))",
                    hint: "write verbatim: TEXT for a challenge like that")
                return nil
            }
            if written.contains(name) {
                sink.report(entry.keyNode, "the parameter \(quoted(entry.key)) stands here twice, whatever its case")
            }
            if !entry.value.isNull { written.append(name) }
            guard !entry.value.isNull else {
                if !names.contains(name) {
                    sink.report(
                        entry.keyNode, "a challenge of \(scheme) has no \(quoted(entry.key)) that could be left out",
                        hint: DiagnosticSink.hint(for: name, among: names))
                }
                return Guard.ParameterOverride(name: entry.key, raw: nil)
            }
            return headText(entry.value, "the parameter \(quoted(entry.key))").map {
                Guard.ParameterOverride(name: entry.key, raw: $0)
            }
        }
    }
}

import ProctorBase
package import ProctorDocument
package import ProctorScenario

struct ReadScheme {
    let node: Node
    /// The offer; nil after a diagnostic.
    let value: Guard.Scheme?
    let name: String?

    /// What the scheme as it is written here needs; nil: no credential is verified.
    var means: SchemeRow.Means? {
        if case .other(let offer)? = value, !offer.verifies { return nil }
        return SchemeRow.all.first { $0.name == name }?.means
    }
}

/// Reads what a guard offers of a scheme from its value, which is nil for the scheme's name alone; nil after a diagnostic.
package typealias SchemeReading = @Sendable (_ details: Node?, ScenarioReader) -> (any SchemeOffer)?

/// One scheme as a row of the language.
package struct SchemeRow: Sendable {
    /// What a guard must have, so that a credential of the scheme can be accepted.
    package enum Means: String, Sendable { case users, tokens }

    let name: String
    /// nil: no credential is verified.
    let means: Means?
    /// Whether the scheme's name alone is permitted.
    let isWhole: Bool
    /// Makes the offer from the value and the whole item; nil after a diagnostic.
    let read: @Sendable (Node?, Node, ScenarioReader) -> Guard.Scheme?

    private static let registered = Locked<[SchemeRow]>([])

    /// Hands a scheme over, for every scenario that this process reads from then on; safe from any thread, and again.
    package static func register(_ name: String, takes means: Means, _ read: @escaping SchemeReading) {
        let row = SchemeRow(name: name, means: means, isWhole: true) { details, _, reader in
            read(details, reader).map { .other($0) }
        }
        registered.withLock { rows in
            rows.removeAll { $0.name == name }
            rows.append(row)
        }
        SchemeNames.register(name)
    }

    /// In the order of messages, which is that of the modules, between what the core has.
    static var all: [SchemeRow] { [basic, digest] + registered.withLock { $0 } + [verbatim] }

    /// The parts of the program whose schemes these are, for a program that lacks one.
    static let parts = [
        "bearer": "the part for Bearer", "ntlm": "the part for NTLM and Negotiate",
        "negotiate": "the part for NTLM and Negotiate", "aws4": "the part for Signature Version 4",
    ]

    private static let basic = SchemeRow(
        name: "basic", means: .users, isWhole: true
    ) { details, _, reader in reader.basic(details).map { .basic($0) } }

    private static let digest = SchemeRow(
        name: "digest", means: .users, isWhole: true
    ) { details, _, reader in reader.digest(details).map { .digest($0) } }

    private static let verbatim = SchemeRow(
        name: SchemeNames.verbatim, means: nil, isWhole: false
    ) { details, node, reader in
        guard let details else {
            return reader.sink.refuse(
                node, "\"verbatim\" needs the text of a challenge", hint: "write verbatim: \"\" for an empty field")
        }
        return reader.headText(details, "a challenge").map { .verbatim($0) }
    }
}

/// Keys of several schemes.
package enum SchemeKey {
    private enum Charset: String, CaseIterable { case utf8 = "UTF-8" }

    /// The only charset that a challenge may name (RFC 7617 §2.1, RFC 7616 §4).
    static let charset = Key<String>("charset") { node, reader in
        reader.sink.choice(node, "a charset", among: Charset.self)?.rawValue
    }

    /// `says:`; `names` are the parameters of the scheme's own challenge.
    package static func says(_ scheme: String, _ names: [String]) -> Key<[Guard.ParameterOverride]> {
        Key(
            "says",
            Shape<[Guard.ParameterOverride]> { $1.says($0, scheme, among: names) }, in: "SchemeKey")
    }

    package static func spelled(_ scheme: String) -> Key<String> {
        Key(
            "spelled",
            Shape<String>(.pattern { "^\(scheme.map { "[\($0.lowercased())\($0.uppercased())]" }.joined())$" }) {
                $1.spelling($0, of: scheme)
            }, in: "SchemeKey")
    }
}

struct BasicKeys: Sendable {
    let charset = borrowed(SchemeKey.charset)
    let says = SchemeKey.says("Basic", ["realm", "charset"])
    let spelled = SchemeKey.spelled("Basic")
}

extension ScenarioReader {
    static let basicTable = Table("basic", BasicKeys())

    fileprivate static let overrideBound = 100

    func schemes(_ node: Node) -> [ReadScheme] {
        oneOrMore(node, "schemes", limit: Self.schemeBound).map { item in
            let (name, details) = schemeName(item)
            return ReadScheme(node: item, value: name.flatMap { scheme($0, details, at: item) }, name: name)
        }
    }

    /// The scheme's name, alone or as the only key of a mapping with its value.
    private func schemeName(_ node: Node) -> (String?, Node?) {
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

    private func knownScheme(_ name: String, _ node: Node) -> String? {
        let names = SchemeNames.all
        if names.contains(name) { return name }
        if let part = SchemeRow.parts[name] {
            return sink.refuse(node, MissingPart.sentence(part), hint: MissingPart.remedy)
        }
        let hint = NearestName.find(name, in: names).map { "did you mean \(quoted($0))?" }
        return sink.refuse(
            node, "unknown scheme \(quoted(name))",
            hint: hint ?? "permitted: \(names.joined(separator: ", ")); write verbatim: TEXT to offer any other")
    }

    private func scheme(_ name: String, _ details: Node?, at node: Node) -> Guard.Scheme? {
        SchemeRow.all.first { $0.name == name }?.read(details, node, self)
    }

    fileprivate func basic(_ node: Node?) -> Guard.BasicOffer? {
        guard let node else { return Guard.BasicOffer() }
        return Self.basicTable.open(node, self).map { keys in
            Guard.BasicOffer(
                charset: keys[\.charset], overrides: keys[\.says] ?? [], spelling: keys[\.spelled])
        }
    }

    /// `spelled:`, the scheme's name in another letter case (RFC 9110 §11.1).
    fileprivate func spelling(_ node: Node, of scheme: String) -> String? {
        guard let text = sink.text(node, "a scheme's name") else { return nil }
        if text.lowercased() == scheme.lowercased() { return text }
        return sink.refuse(
            node, "\(quoted(text)) is no spelling of \(scheme): only the case of its letters may differ",
            hint: "write verbatim: TEXT to offer another scheme")
    }

    /// `says:` as a mapping from a parameter to the bytes after `=`.
    ///
    /// `names` are the parameters of the scheme's own challenge.
    fileprivate func says(_ node: Node, _ scheme: String, among names: [String]) -> [Guard.ParameterOverride] {
        guard
            let entries = entries(
                node, "says", from: "parameter to text", limit: Self.overrideBound, counted: "parameters")
        else { return [] }
        // A parameter that is left out may be written again in another letter case.
        var written: [String] = []
        return entries.compactMap { entry in
            let name = entry.key.lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
                return sink.refuse(
                    entry.keyNode,
                    "expected the name of a parameter as a token (RFC 9110 §11.2), found \(quoted(entry.key))",
                    hint: "write verbatim: TEXT for a challenge like that")
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

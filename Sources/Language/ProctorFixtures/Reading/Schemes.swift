import ProctorBase
import ProctorDocument
import ProctorScenario

struct ReadScheme {
    let node: Node
    /// The offer; nil after a diagnostic.
    let value: Guard.Scheme?
    let name: SchemeName?

    /// What the scheme as it is written here needs; nil: no credential is verified.
    var means: SchemeRow.Means? {
        if case .messages? = value { return nil }
        return SchemeRow.all.first { $0.name == name }?.means
    }
}

/// One scheme as a row of the language.
struct SchemeRow: Sendable {
    /// What a guard must have, so that a credential of the scheme can be accepted.
    enum Means: String { case users, tokens }

    let name: SchemeName
    /// nil: no credential is verified.
    let means: Means?
    /// Whether the scheme's name alone is permitted.
    let isWhole: Bool
    /// Makes the offer from the value and the whole item; nil after a diagnostic.
    let read: @Sendable (Node?, Node, ScenarioReader) -> Guard.Scheme?

    static let all: [SchemeRow] = [
        SchemeRow(
            name: .basic, means: .users, isWhole: true
        ) { details, _, reader in reader.basic(details).map { .basic($0) } },
        SchemeRow(
            name: .digest, means: .users, isWhole: true
        ) { details, _, reader in reader.digest(details).map { .digest($0) } },
        SchemeRow(
            name: .bearer, means: .tokens, isWhole: true
        ) { details, _, reader in reader.bearer(details).map { .bearer($0) } },
        SchemeRow(
            name: .ntlm, means: .users, isWhole: true
        ) { details, node, reader in reader.ntlm(details, at: node) },
        SchemeRow(
            name: .negotiate, means: .users, isWhole: true
        ) { details, node, reader in reader.negotiate(details, at: node) },
        SchemeRow(
            name: .verbatim, means: nil, isWhole: false
        ) { details, node, reader in
            guard let details else {
                return reader.sink.refuse(
                    node, "\"verbatim\" needs the text of a challenge", hint: "write verbatim: \"\" for an empty field")
            }
            return reader.headText(details, "a challenge").map { .verbatim($0) }
        },
    ]
}

/// Keys of several schemes.
enum SchemeKey {
    private enum Charset: String, CaseIterable { case utf8 = "UTF-8" }

    /// The only charset that a challenge may name (RFC 7617 §2.1, RFC 7616 §4).
    static let charset = Key<String>("charset") { node, reader in
        reader.sink.choice(node, "a charset", among: Charset.self)?.rawValue
    }

    /// `says:`; `names` are the parameters of the scheme's own challenge.
    static func says(_ scheme: String, _ names: [String]) -> Key<[Guard.ParameterOverride]> {
        Key(
            "says",
            Shape<[Guard.ParameterOverride]> { $1.says($0, scheme, among: names) }, in: "SchemeKey")
    }

    static func spelled(_ scheme: String) -> Key<String> {
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

struct BearerKeys: Sendable {
    let scope = Key<[String]>("scope") { $1.scopes($0) }
    let `in` = Key<Set<Guard.BearerOffer.Place>>("in") { $1.places($0) }
    let says = SchemeKey.says("Bearer", ["realm", "scope", "error", "error_description", "error_uri"])
    let spelled = SchemeKey.spelled("Bearer")
}

/// Options of a scheme with several messages, whose credentials are not verified.
struct MessageKeys: Sendable {
    let offerOnly = Key<[String]>("offer-only", isRequired: true) { $1.offeredMessages($0) }
    let spelled: Key<String>

    init(_ scheme: String) { spelled = SchemeKey.spelled(scheme) }
}

extension ScenarioReader {
    static let basicTable = Table("basic", BasicKeys())
    static let bearerTable = Table("bearer", BearerKeys())

    /// The most messages of one scheme.
    fileprivate static let messageBound = 100
    fileprivate static let overrideBound = 100

    func schemes(_ node: Node) -> [ReadScheme] {
        oneOrMore(node, "schemes", limit: Self.schemeBound).map { item in
            let (name, details) = schemeName(item)
            return ReadScheme(node: item, value: name.flatMap { scheme($0, details, at: item) }, name: name)
        }
    }

    /// The scheme's name, alone or as the only key of a mapping with its value.
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
        return sink.refuse(
            node, "unknown scheme \(quoted(name))",
            hint: hint
                ?? "permitted: \(SchemeName.allCases.map(\.rawValue).joined(separator: ", ")); "
                + "write verbatim: TEXT to offer any other")
    }

    private func scheme(_ name: SchemeName, _ details: Node?, at node: Node) -> Guard.Scheme? {
        SchemeRow.all.first { $0.name == name }?.read(details, node, self)
    }

    fileprivate func basic(_ node: Node?) -> Guard.BasicOffer? {
        guard let node else { return Guard.BasicOffer() }
        return Self.basicTable.open(node, self).map { keys in
            Guard.BasicOffer(
                charset: keys[\.charset], overrides: keys[\.says] ?? [], spelling: keys[\.spelled])
        }
    }

    fileprivate func bearer(_ node: Node?) -> Guard.BearerOffer? {
        guard let node else { return Guard.BearerOffer() }
        return Self.bearerTable.open(node, self).map { keys in
            Guard.BearerOffer(
                scopes: keys[\.scope] ?? [], places: keys[\.in] ?? [.header], overrides: keys[\.says] ?? [],
                spelling: keys[\.spelled])
        }
    }

    fileprivate func places(_ node: Node) -> Set<Guard.BearerOffer.Place> {
        Set(
            oneOrMore(node, "places", limit: Self.schemeBound)
                .compactMap { sink.choice($0, "a place of a token", among: Guard.BearerOffer.Place.self) })
    }

    func messages(
        of scheme: String, _ name: SchemeName, _ details: Node?, at node: Node
    ) -> Guard.MessageOffer? {
        guard let details else {
            return sink.refuse(
                node, "\(quoted(name.rawValue)) needs \"offer-only\": nothing of it is verified",
                hint: "write \(name.rawValue): { offer-only: [] } to admit the first message")
        }
        guard let keys = Table(name.rawValue, MessageKeys(scheme)).open(details, self), let tokens = keys[\.offerOnly]
        else { return nil }
        return Guard.MessageOffer(scheme: keys[\.spelled] ?? scheme, tokens: tokens)
    }

    fileprivate func offeredMessages(_ node: Node) -> [String]? {
        sink.list(node, "messages", limit: Self.messageBound)?
            .compactMap { token68($0, "a message", in: "RFC 9110 §11.2") }
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

internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

/// The keys of one item of `webhooks:`.
struct WebhookKeys: Sendable {
    let to = Key("to", Shape<ByteSource>.bytes("the URL of a listener"), isRequired: true)
    let id = Key("id", Shape<ByteSource>.bytes("an id"))
    let body = Key("body", Shape<ByteSource>.bytes("a body"))
    let json = Key<Template>("json") { $1.json($0) }
    let headers = Key<[ReplyField]>("headers") { $1.fields($0, "headers") }
    let sign = Key("sign", Shape<Webhook.Signing>.mapping(Table("a signature", SigningKeys())) { .init($0) })
    let after = Key("after", Shape<Duration>.duration("after"))
    let retry = Key<[Duration]>("retry") {
        node, reader in
        reader.sink.list(node, "waits", limit: Self.retryLimit)?.mapAll { reader.duration($0, "retry") }
    }
    let times = UsualKey("times", Shape<Int>.integer("times", in: 1...100), usual: 1)
    let mistake = Key("mistake", Shape<WireMistake>.choice("a mistake"))
    let wants = Key<WantedAnswer>("wants") { node, reader in
        guard let text = reader.sink.text(node, "an answer") else { return nil }
        return WantedAnswer(text)
            ?? reader.sink.refuse(
                node, "expected a status, a family like 2xx or any, found \(quoted(text))",
                hint: "write wants: 2xx, wants: 409 or wants: any")
    }
    let within = Key("within", Shape<Duration>.duration("within"))

    static let retryLimit = 20
}

/// The keys of `sign:`.
struct SigningKeys: Sendable {
    let form = Key("form", Shape<SignatureForm>.choice("a form of signatures"), isRequired: true)
    let secret = Key("secret", Shape<ByteSource>.bytes("a secret"), isRequired: true)
    let mistake = Key("mistake", Shape<SignatureMistake>.choice("a mistake"))
}

extension Webhook.Signing {
    /// nil after a diagnostic.
    fileprivate init?(_ keys: Mapping<SigningKeys>) {
        let form = keys[\.form]
        let secret = keys[\.secret]
        let mistake = keys[\.mistake]
        guard let form, let secret, !keys.has(\.mistake) || mistake != nil else { return nil }
        if let mistake, !mistake.exists(in: form), let node = keys.entry(\.mistake)?.value {
            keys.reader.sink.report(
                node, "a signature of the form \(form.rawValue) can't have the mistake \(quoted(mistake.rawValue))",
                hint: "it can have: "
                    + SignatureMistake.allCases.filter { $0.exists(in: form) }.map(\.rawValue).joined(separator: ", "))
            return nil
        }
        self.init(form: form, secret: secret, mistake: mistake)
    }
}

extension Webhook {
    /// nil after a diagnostic.
    init?(_ keys: Mapping<WebhookKeys>) {
        let target = keys[\.to]
        let (id, body, json) = (keys[\.id], keys[\.body], keys[\.json])
        let (fields, signing, delay) = (keys[\.headers] ?? [], keys[\.sign], keys[\.after])
        let (retries, count) = (keys[\.retry] ?? [], keys[\.times])
        let (mistake, wants, limit) = (keys[\.mistake], keys[\.wants], keys[\.within])
        if keys.has(\.json), let entry = keys.entry(\.body) {
            keys.reader.sink.report(entry.keyNode, "\"body\" does not go with \"json\"", hint: "write one of them")
            return nil
        }
        guard let target, !keys.has(\.sign) || signing != nil, !keys.has(\.json) || json != nil,
            !keys.has(\.body) || body != nil, !keys.has(\.mistake) || mistake != nil,
            !keys.has(\.wants) || wants != nil
        else { return nil }
        let usual: WantedAnswer =
            signing?.mistake.map { $0.isHarmless ? .family(2) : .family(4) } ?? .family(2)
        let onTheWay = mistake?.wanted(isSigned: signing != nil)
        self.init(
            target: target, id: id, fields: fields, content: body ?? json.map { ByteSource($0) } ?? .literal([]),
            signing: signing, delay: delay, retries: retries, count: count, mistake: mistake,
            wanted: wants ?? (usual == .family(4) && onTheWay != .any ? usual : onTheWay ?? usual),
            limit: limit ?? Self.usualLimit)
    }
}

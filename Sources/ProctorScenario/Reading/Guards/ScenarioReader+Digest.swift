import ProctorBase
import ProctorDocument
import ProctorHTTP

/// Digest as a guard offers it.
extension ScenarioReader {
    private static let digestKeys = [
        "algorithm", "qop", "opaque", "domain", "userhash", "charset", "nonce", "uses", "lifetime", "nonce-count",
        "info", "quoting", "says", "spelled",
    ]
    private static let digestHints = [
        "stale": "a nonce grows stale by uses: or lifetime:", "realm": "realm is a key of the guard",
    ]
    private static let digestParameters = [
        "realm", "domain", "nonce", "opaque", "stale", "algorithm", "qop", "charset", "userhash",
    ]

    /// What follows `digest:`; nothing means MD5 with qop auth.
    func digest(_ node: Node?) -> Guard.DigestOffer? {
        guard let node else { return Guard.DigestOffer() }
        guard let reader = MappingReader(node, "digest", keys: Self.digestKeys, hints: Self.digestHints, sink: sink)
        else { return nil }
        let qops = reader["qop"].map(qops) ?? [.authentication]
        let nonces = noncePolicy(reader)
        let info = reader["info"].map(info) ?? Guard.DigestOffer.Info()
        checkDigest(reader, nonces, info, hasQop: !qops.isEmpty)
        return Guard.DigestOffer(
            algorithm: reader["algorithm"].map(algorithm) ?? .md5, qops: qops,
            opaque: reader["opaque"].flatMap { headText($0, "opaque") }, domain: reader["domain"].map(domain) ?? [],
            userhash: reader["userhash"].flatMap { sink.boolean($0, "userhash") },
            charset: reader["charset"].flatMap(charset), nonces: nonces, info: info,
            quoting: reader["quoting"].flatMap { sink.choice($0, "a quoting") } ?? .exact,
            overrides: reader["says"].map { says($0, "Digest", Self.digestParameters) } ?? [],
            spelling: reader["spelled"].flatMap { spelling($0, of: "Digest") })
    }

    /// `null`: the challenge names none.
    private func algorithm(_ node: Node) -> DigestAlgorithm? {
        if node.items != nil {
            sink.report(node, "a challenge has one algorithm, found a list", hint: "write a digest item for each")
            return nil
        }
        return node.isNull ? nil : sink.choice(node, "an algorithm")
    }

    private func qops(_ node: Node) -> [QualityOfProtection] {
        if node.text == "none" { return [] }
        if node.isNull {
            sink.report(node, "expected a qop, found nothing", hint: "write none for a challenge without")
            return []
        }
        if node.items?.isEmpty == true {
            sink.report(node, "a list of qop needs at least one", hint: "write qop: none for a challenge without")
        }
        let nodes = node.items == nil ? [node] : sink.list(node, "qop", limit: Bounds.schemes) ?? []
        var qops: [QualityOfProtection] = []
        for item in nodes {
            guard let text = sink.text(item, "a qop") else { continue }
            guard let qop = QualityOfProtection(rawValue: text) else {
                let names = QualityOfProtection.allCases.map(\.rawValue) + (node.items == nil ? ["none"] : [])
                let isList = node.items == nil && text.contains(",")
                sink.report(
                    item, "unknown qop \(quoted(text))",
                    hint: isList ? "write [auth, auth-int]" : DiagnosticSink.hint(for: text, among: names))
                continue
            }
            if qops.contains(qop) { sink.report(item, "\(quoted(text)) stands here twice") }
            qops.append(qop)
        }
        return qops
    }

    /// URIs of the protection space (RFC 7616 §3.3); they are parted by spaces, so none of them has one.
    private func domain(_ node: Node) -> [Template] {
        if node.items?.isEmpty == true { sink.report(node, "a list of URIs needs at least one") }
        var scope = guardScope
        scope.allowsNow = false
        return sink.texts(node, "a URI", limit: Bounds.domain).compactMap { text, node in
            guard headText(node, "a URI") != nil,
                let uri = TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text))
            else { return nil }
            let hasSpace = uri.parts.contains { part in
                if case .literal(let bytes) = part { bytes.contains { $0 <= 0x20 } } else { false }
            }
            guard !text.isEmpty, !hasSpace else {
                sink.report(
                    node, "expected a URI without white space, found \(quoted(text))",
                    hint: "write several of them as a list")
                return nil
            }
            return uri
        }
    }

    // MARK: Nonces

    private enum NonceCount: String, CaseIterable { case any, gapless }

    /// The text of a nonce that the file wants to be always the same.
    private static let fixedNonce = "proctor-fixed-nonce"

    private func noncePolicy(_ reader: MappingReader) -> Guard.DigestOffer.NoncePolicy {
        let count = reader["nonce-count"].flatMap { sink.choice($0, "a nonce count", among: NonceCount.self) }
        return Guard.DigestOffer.NoncePolicy(
            source: reader["nonce"].flatMap(nonceSource) ?? .random,
            uses: reader["uses"].map(uses) ?? [],
            lifetime: reader["lifetime"].flatMap { duration($0, "a lifetime") }, isGapless: count == .gapless)
    }

    /// One number, or a list of them by turn of the nonces.
    private func uses(_ node: Node) -> [Int] {
        if node.items?.isEmpty == true { sink.report(node, "a list of uses needs at least one number") }
        let nodes = node.items == nil ? [node] : sink.list(node, "uses", limit: Bounds.replies) ?? []
        return nodes.compactMap { sink.integer($0, "uses", in: 0...Bounds.times.upperBound) }
    }

    private func nonceSource(_ node: Node) -> Guard.DigestOffer.NoncePolicy.Source? {
        guard node.entries != nil else {
            switch node.text {
            case "random": return .random
            case "fixed": return .fixed(Self.fixedNonce)
            default:
                sink.report(
                    node, "expected a nonce as random, fixed, { fixed: TEXT } or { seed: N }, found \(node.found)")
                return nil
            }
        }
        guard let reader = MappingReader(node, "a nonce", keys: ["fixed", "seed"], sink: sink),
            reader.entries.count == node.entries?.count
        else { return nil }
        switch (reader["fixed"], reader["seed"]) {
        case (let text?, nil):
            guard sink.nonEmptyText(text, "a nonce") != nil else { return nil }
            return headText(text, "a nonce").map { .fixed($0) }
        case (nil, let seed?):
            return sink.integer(seed, "a seed", in: Bounds.seeds).map { .seed(UInt64($0)) }
        default:
            sink.report(node, "a nonce needs one of \"fixed\" and \"seed\"")
            return nil
        }
    }

    private enum InfoWord: String, CaseIterable {
        case rspauth, nextnonce
        case wrongRspauth = "wrong-rspauth"
    }

    private func info(_ node: Node) -> Guard.DigestOffer.Info {
        if node.items?.isEmpty == true { sink.report(node, "a list of info needs at least one") }
        let nodes = node.items == nil ? [node] : sink.list(node, "info", limit: Bounds.schemes) ?? []
        let words = nodes.compactMap { sink.choice($0, "a part of info", among: InfoWord.self) }
        if words.contains(.rspauth), words.contains(.wrongRspauth) {
            sink.report(node, "\"rspauth\" does not go with \"wrong-rspauth\": a reply has one")
        }
        let proof: Guard.DigestOffer.Info.Proof? =
            words.contains(.wrongRspauth) ? .wrong : words.contains(.rspauth) ? .right : nil
        return Guard.DigestOffer.Info(proof: proof, givesNextNonce: words.contains(.nextnonce))
    }
}

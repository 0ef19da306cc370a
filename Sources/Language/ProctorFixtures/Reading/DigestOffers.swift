import ProctorBase
import ProctorDocument
import ProctorHTTP
import ProctorScenario

struct DigestKeys: Sendable {
    let algorithm = Key<DigestAlgorithm>("algorithm") { $1.algorithm($0) }
    let qop = Key<[QualityOfProtection]>("qop") { $1.qops($0) }
    let opaque = Key<String>("opaque") { $1.headText($0, "opaque") }
    let domain = Key<[Template]>("domain") { $1.domain($0) }
    let userhash = Key("userhash", Shape<Bool>.boolean("userhash"))
    let charset = borrowed(SchemeKey.charset)
    let nonce = Key<Guard.DigestOffer.NoncePolicy.Source>("nonce") { $1.nonceSource($0) }
    let uses = Key<[Int]>("uses") { $1.uses($0) }
    let lifetime = Key("lifetime", Shape<Duration>.lifetime("a lifetime"))
    let nonceCount = Key("nonce-count", Shape<ScenarioReader.NonceCount>.choice("a nonce count"))
    let info = Key<Guard.DigestOffer.Info>("info") { $1.info($0) }
    let says = SchemeKey.says(
        "Digest",
        ["realm", "domain", "nonce", "opaque", "stale", "algorithm", "qop", "charset", "userhash"])
    let spelled = SchemeKey.spelled("Digest")
}

/// A nonce that the file sets.
struct NonceKeys: Sendable {
    let fixed = Key<String>("fixed") { node, reader in
        reader.sink.nonEmptyText(node, "a nonce") == nil ? nil : reader.headText(node, "a nonce")
    }
    let seed = Key("seed", Shape<Int>.integer("a seed", in: 0...Int.max))
}

extension ScenarioReader {
    static let digestTable = Table(
        "digest", DigestKeys(),
        hints: [
            "stale": "a nonce grows stale by uses: or lifetime:", "realm": "realm is a key of the guard",
            "quoting": "wrong quotes are tolerated, but where the scenario says tolerates: { except: digest-quoting }",
        ])
    static let nonceTable = Table("a nonce", NonceKeys())
    fileprivate static let domainBound = 100

    /// The value of `digest:`; nil: MD5 with qop auth.
    func digest(_ node: Node?) -> Guard.DigestOffer? {
        guard let node else { return Guard.DigestOffer() }
        guard let keys = Self.digestTable.open(node, self) else { return nil }
        let qops = keys[\.qop] ?? [.authentication]
        let nonces = noncePolicy(keys)
        let info = keys[\.info] ?? Guard.DigestOffer.Info()
        checkDigest(keys, nonces: nonces, info: info, hasQop: !qops.isEmpty)
        return Guard.DigestOffer(
            algorithm: keys.has(\.algorithm) ? keys[\.algorithm] : .md5, qops: qops, opaque: keys[\.opaque],
            domain: keys[\.domain] ?? [], userhash: keys[\.userhash], charset: keys[\.charset], nonces: nonces,
            info: info, overrides: keys[\.says] ?? [], spelling: keys[\.spelled])
    }

    /// `algorithm:`; `null`: the challenge has no algorithm.
    fileprivate func algorithm(_ node: Node) -> DigestAlgorithm? {
        if node.items != nil {
            return sink.refuse(
                node, "a challenge has one algorithm, found a list", hint: "write a digest item for each")
        }
        return node.isNull ? nil : sink.choice(node, "an algorithm")
    }

    fileprivate func qops(_ node: Node) -> [QualityOfProtection] {
        if node.text == "none" { return [] }
        if node.isNull {
            sink.report(node, "expected a qop, found nothing", hint: "write none for a challenge without")
            return []
        }
        var qops: [QualityOfProtection] = []
        let hint = "write qop: none for a challenge without"
        for item in oneOrMore(node, "qop", limit: Self.schemeBound, hint: hint) {
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

    /// URIs of the protection space (RFC 7616 §3.3); they contain no spaces, which separate them.
    fileprivate func domain(_ node: Node) -> [Template] {
        if node.items?.isEmpty == true { sink.report(node, "a list of URIs needs at least one") }
        var scope = scope
        scope.allowsNow = false
        scope.answers = .nothing
        return sink.texts(node, "a URI", limit: Self.domainBound).compactMap { text, node -> Template? in
            guard headText(node, "a URI") != nil,
                let uri = TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text))
            else { return nil }
            let hasSpace = uri.parts.contains { part in
                if case .literal(let bytes) = part { bytes.contains { $0 <= 0x20 } } else { false }
            }
            guard !text.isEmpty, !hasSpace else {
                return sink.refuse(
                    node, "expected a URI without white space, found \(quoted(text))",
                    hint: "write several of them as a list")
            }
            return uri
        }
    }

    // MARK: Nonces

    enum NonceCount: String, CaseIterable { case any, gapless }

    /// The nonce of `nonce: fixed`.
    private static let fixedNonce = "proctor-fixed-nonce"

    private func noncePolicy(_ keys: Mapping<DigestKeys>) -> Guard.DigestOffer.NoncePolicy {
        let count = keys[\.nonceCount]
        return Guard.DigestOffer.NoncePolicy(
            source: keys[\.nonce] ?? .random, uses: keys[\.uses] ?? [], lifetime: keys[\.lifetime],
            isGapless: count == .gapless)
    }

    /// One number, or a list with a number for each nonce in turn.
    fileprivate func uses(_ node: Node) -> [Int] {
        oneOrMore(node, "uses", limit: Bounds.replies, atLeast: "one number")
            .compactMap { sink.integer($0, "uses", in: 0...Bounds.times.upperBound) }
    }

    fileprivate func nonceSource(_ node: Node) -> Guard.DigestOffer.NoncePolicy.Source? {
        guard node.entries != nil else {
            switch node.text {
            case "random": return .random
            case "fixed": return .fixed(Self.fixedNonce)
            default:
                return sink.refuse(
                    node, "expected a nonce as random, fixed, { fixed: TEXT } or { seed: N }, found \(node.found)")
            }
        }
        guard let keys = Self.nonceTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        switch (keys.has(\.fixed), keys.has(\.seed)) {
        case (true, false): return keys[\.fixed].map { .fixed($0) }
        case (false, true): return keys[\.seed].map { .seed(UInt64($0)) }
        default:
            return sink.refuse(node, "a nonce needs one of \"fixed\" and \"seed\"")
        }
    }

    fileprivate enum InfoWord: String, CaseIterable {
        case rspauth, nextnonce
        case wrongRspauth = "wrong-rspauth"
    }

    fileprivate func info(_ node: Node) -> Guard.DigestOffer.Info {
        let words = oneOrMore(node, "info", limit: Self.schemeBound)
            .compactMap { sink.choice($0, "a part of info", among: InfoWord.self) }
        if words.contains(.rspauth), words.contains(.wrongRspauth) {
            sink.report(node, "\"rspauth\" does not go with \"wrong-rspauth\": a reply has one")
        }
        let proof: Guard.DigestOffer.Info.Proof? =
            words.contains(.wrongRspauth) ? .wrong : words.contains(.rspauth) ? .right : nil
        return Guard.DigestOffer.Info(proof: proof, givesNextNonce: words.contains(.nextnonce))
    }
}

internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorNTLM
internal import ProctorNegotiate
internal import ProctorScenario

/// Options of NTLM whose last message is verified.
struct NTLMKeys: Sendable {
    let target = Key<String>("target") { $1.headText($0, "a target") }
    let challenge = Key<[UInt8]>("challenge") { $1.nonce($0) }
    let time = UsualKey("time", Shape<Bool>.boolean("time"), usual: false)
    let version = UsualKey("version", Shape<Bool>.boolean("version"), usual: true)
    let spelled = SchemeKey.spelled("NTLM")
}

/// Options of Negotiate whose messages are verified.
struct NegotiateKeys: Sendable {
    let mechanisms = Key<[NegotiateMechanism]>("mechanisms") { $1.mechanisms($0) }
    let target = borrowed(NTLMKeys().target)
    let challenge = borrowed(NTLMKeys().challenge)
    let time = borrowed(NTLMKeys().time)
    let legs = UsualKey("legs", Shape<Int>.integer("legs", in: 2...3), usual: 3)
    let proof = Key<NegotiateJudge.Offer.Proof>("proof") {
        $1.sink.choice($0, "a proof", among: NegotiateJudge.Offer.Proof.self)
    }
    let spelled = SchemeKey.spelled("Negotiate")
}

/// Options of a scheme with several messages, whose credentials are not verified.
struct MessageKeys: Sendable {
    let offerOnly = Key<[String]>("offer-only", isRequired: true) { $1.offeredMessages($0) }
    let spelled: Key<String>

    init(_ scheme: String) { spelled = SchemeKey.spelled(scheme) }
}

extension ScenarioReader {
    static let ntlmTable = Table("ntlm", NTLMKeys())
    static let negotiateTable = Table("negotiate", NegotiateKeys())

    /// The most messages of one scheme.
    private static let messageBound = 100

    /// The value of the scheme; with `offer-only` in it nothing is verified.
    func ntlm(_ details: Node?) -> (any SchemeOffer)? {
        guard let details else { return NTLMOffer() }
        if Self.isUnverified(details) { return messages(of: "NTLM", in: details) }
        guard let keys = Self.ntlmTable.open(details, self) else { return nil }
        var offer = NTLMOffer()
        if let target = keys[\.target] { offer.message.target = target }
        offer.message.nonce = keys[\.challenge]
        offer.message.namesTime = keys[\.time]
        offer.message.hasVersion = keys[\.version]
        if let spelling = keys[\.spelled] { offer.spelling = spelling }
        return offer
    }

    /// The value of the scheme; with `offer-only` in it nothing is verified.
    func negotiate(_ details: Node?) -> (any SchemeOffer)? {
        var offer = NegotiateOffer()
        guard let details else { return offer }
        if Self.isUnverified(details) { return messages(of: "Negotiate", in: details) }
        guard let keys = Self.negotiateTable.open(details, self) else { return nil }
        if let mechanisms = keys[\.mechanisms] { offer.tokens.mechanisms = mechanisms }
        if let target = keys[\.target] { offer.tokens.ntlm.target = target }
        offer.tokens.ntlm.nonce = keys[\.challenge]
        offer.tokens.ntlm.namesTime = keys[\.time]
        offer.tokens.stubLegs = keys[\.legs]
        if let proof = keys[\.proof] { offer.tokens.proof = proof }
        if let spelling = keys[\.spelled] { offer.spelling = spelling }
        check([keys.entry(\.target), keys.entry(\.challenge), keys.entry(\.time)], are: .ntlm, of: offer)
        check([keys.entry(\.legs), keys.entry(\.proof)], are: .stub, of: offer)
        return offer
    }

    private func check(_ entries: [Node.Entry?], are mechanism: NegotiateMechanism, of offer: NegotiateOffer) {
        guard !offer.tokens.mechanisms.contains(mechanism) else { return }
        for entry in entries.compactMap(\.self) {
            sink.report(
                entry.keyNode, "\(quoted(entry.key)) is of \(mechanism.rawValue), which is not accepted here",
                hint: "write mechanisms: \(mechanism.rawValue), or leave it out")
        }
    }

    fileprivate func mechanisms(_ node: Node) -> [NegotiateMechanism]? {
        let all = NegotiateMechanism.allCases
        var mechanisms: [NegotiateMechanism] = []
        for item in oneOrMore(node, "mechanisms", limit: all.count) {
            guard let mechanism = sink.choice(item, "a mechanism", among: NegotiateMechanism.self) else {
                return nil
            }
            guard !mechanisms.contains(mechanism) else {
                return sink.refuse(item, "\(quoted(mechanism.rawValue)) stands here twice")
            }
            mechanisms.append(mechanism)
        }
        return mechanisms.isEmpty ? nil : mechanisms
    }

    fileprivate func nonce(_ node: Node) -> [UInt8]? {
        let text = sink.text(node, "a challenge") ?? ""
        if let bytes = try? HexText.decode(Array(text.utf8)), bytes.count == 8 { return bytes }
        return sink.refuse(node, "expected a challenge of 16 hexadecimal digits, found \(quoted(text))")
    }

    // MARK: Without verification

    private static func isUnverified(_ details: Node) -> Bool {
        details.entries?.contains { $0.key == "offer-only" } == true
    }

    private func messages(of scheme: String, in details: Node) -> UnverifiedOffer? {
        guard let keys = Table(scheme.lowercased(), MessageKeys(scheme)).open(details, self),
            let tokens = keys[\.offerOnly]
        else { return nil }
        return UnverifiedOffer(scheme: keys[\.spelled] ?? scheme, tokens: tokens)
    }

    fileprivate func offeredMessages(_ node: Node) -> [String]? {
        sink.list(node, "messages", limit: Self.messageBound)?
            .compactMap { token68($0, "a message", in: "RFC 9110 §11.2") }
    }
}

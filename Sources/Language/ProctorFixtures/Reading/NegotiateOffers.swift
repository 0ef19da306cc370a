import ProctorBase
import ProctorDocument
import ProctorScenario

/// Options of Negotiate whose messages are verified.
struct NegotiateKeys: Sendable {
    let mechanisms = Key<[Guard.NegotiateOffer.Mechanism]>("mechanisms") { $1.mechanisms($0) }
    let target = borrowed(NTLMKeys().target)
    let challenge = borrowed(NTLMKeys().challenge)
    let time = borrowed(NTLMKeys().time)
    let legs = UsualKey("legs", Shape<Int>.integer("legs", in: 2...3), usual: 3)
    let proof = Key<ServerProof>("proof") { $1.sink.choice($0, "a proof", among: ServerProof.self) }
    let spelled = SchemeKey.spelled("Negotiate")

    enum ServerProof: String, Sendable, CaseIterable { case right, wrong, none }
}

extension ScenarioReader {
    static let negotiateTable = Table("negotiate", NegotiateKeys())

    /// The value of the scheme; with `offer-only` in it nothing is verified.
    func negotiate(_ details: Node?, at node: Node) -> Guard.Scheme? {
        if let details, details.entries?.contains(where: { $0.key == "offer-only" }) == true {
            return messages(of: "Negotiate", .negotiate, details, at: node).map { .messages($0) }
        }
        guard sink.has(TokenSchemes.slot, at: node) else { return nil }
        guard let details else { return .negotiate(Guard.NegotiateOffer()) }
        guard let keys = Self.negotiateTable.open(details, self) else { return nil }
        var offer = Guard.NegotiateOffer()
        if let mechanisms = keys[\.mechanisms] { offer.mechanisms = mechanisms }
        offer.ntlm = Guard.NTLMOffer(
            target: keys[\.target] ?? offer.ntlm.target, nonce: keys[\.challenge], namesTime: keys[\.time])
        offer.legs = keys[\.legs]
        switch keys[\.proof] {
        case .right?, nil: offer.proof = .right
        case .wrong?: offer.proof = .wrong
        case ServerProof.none?: offer.proof = nil
        }
        offer.spelling = keys[\.spelled]
        check([keys.entry(\.target), keys.entry(\.challenge), keys.entry(\.time)], are: .ntlm, of: offer)
        check([keys.entry(\.legs), keys.entry(\.proof)], are: .stub, of: offer)
        return .negotiate(offer)
    }

    private typealias ServerProof = NegotiateKeys.ServerProof

    private func check(
        _ entries: [Node.Entry?], are mechanism: Guard.NegotiateOffer.Mechanism, of offer: Guard.NegotiateOffer
    ) {
        guard !offer.mechanisms.contains(mechanism) else { return }
        for entry in entries.compactMap(\.self) {
            sink.report(
                entry.keyNode, "\(quoted(entry.key)) is of \(mechanism.rawValue), which is not accepted here",
                hint: "write mechanisms: \(mechanism.rawValue), or leave it out")
        }
    }

    fileprivate func mechanisms(_ node: Node) -> [Guard.NegotiateOffer.Mechanism]? {
        let all = Guard.NegotiateOffer.Mechanism.allCases
        var mechanisms: [Guard.NegotiateOffer.Mechanism] = []
        for item in oneOrMore(node, "mechanisms", limit: all.count) {
            guard let mechanism = sink.choice(item, "a mechanism", among: Guard.NegotiateOffer.Mechanism.self) else {
                return nil
            }
            guard !mechanisms.contains(mechanism) else {
                return sink.refuse(item, "\(quoted(mechanism.rawValue)) stands here twice")
            }
            mechanisms.append(mechanism)
        }
        return mechanisms.isEmpty ? nil : mechanisms
    }
}

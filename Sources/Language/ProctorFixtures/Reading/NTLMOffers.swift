import ProctorBase
import ProctorDocument
import ProctorScenario

/// Options of NTLM whose last message is verified.
struct NTLMKeys: Sendable {
    let target = Key<String>("target") { $1.headText($0, "a target") }
    let challenge = Key<[UInt8]>("challenge") { $1.nonce($0) }
    let time = UsualKey("time", Shape<Bool>.boolean("time"), usual: false)
    let version = UsualKey("version", Shape<Bool>.boolean("version"), usual: true)
    let spelled = SchemeKey.spelled("NTLM")
}

extension ScenarioReader {
    static let ntlmTable = Table("ntlm", NTLMKeys())

    /// The value of the scheme; with `offer-only` in it nothing is verified.
    func ntlm(_ details: Node?, at node: Node) -> Guard.Scheme? {
        if let details, details.entries?.contains(where: { $0.key == "offer-only" }) == true {
            return messages(of: "NTLM", .ntlm, details, at: node).map { .messages($0) }
        }
        guard sink.has(TokenSchemes.slot, at: node) else { return nil }
        guard let details else { return .ntlm(Guard.NTLMOffer()) }
        guard let keys = Self.ntlmTable.open(details, self) else { return nil }
        return .ntlm(
            Guard.NTLMOffer(
                target: keys[\.target] ?? Guard.NTLMOffer().target, nonce: keys[\.challenge], namesTime: keys[\.time],
                hasVersion: keys[\.version], spelling: keys[\.spelled]))
    }

    fileprivate func nonce(_ node: Node) -> [UInt8]? {
        let text = sink.text(node, "a challenge") ?? ""
        if let bytes = try? HexText.decode(Array(text.utf8)), bytes.count == 8 { return bytes }
        return sink.refuse(node, "expected a challenge of 16 hexadecimal digits, found \(quoted(text))")
    }
}

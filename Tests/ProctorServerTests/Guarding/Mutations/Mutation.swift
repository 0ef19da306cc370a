import ProctorHTTP
import ProctorJournal
import Testing

/// One way to get a Digest answer wrong, or one that only looks wrong.
struct Mutation: Sendable, CustomTestStringConvertible {
    let name: String
    /// Where the rule stands.
    let section: String
    let offer: MutationOffer
    /// Right requests that come before, each with the next nonce count.
    let before: Int
    let outcome: GuardVerdict.Outcome
    let kinds: [CredentialFault.Kind]
    /// Words of the sentence; `<name>` is what the right answer has in that parameter, `<sent name>` what was sent.
    let says: [String]
    let target: String
    let write: @Sendable (DigestMaterial) -> WrittenAnswer

    static let target = "/a%20b/c?d=e%2Ff&g=1"

    /// A mutation that is refused.
    init(
        _ name: String, _ section: String, to offer: MutationOffer = .plain, before: Int = 0,
        outcome: GuardVerdict.Outcome = .refused, _ kinds: CredentialFault.Kind..., says: [String] = [],
        target: String = Mutation.target, write: @escaping @Sendable (DigestMaterial) -> WrittenAnswer
    ) {
        self.name = name
        self.section = section
        self.offer = offer
        self.before = before
        self.outcome = outcome
        self.kinds = kinds
        self.says = says
        self.target = target
        self.write = write
    }

    /// A variation that is admitted.
    init(
        legal name: String, _ section: String, to offer: MutationOffer = .plain, before: Int = 0,
        target: String = Mutation.target, write: @escaping @Sendable (DigestMaterial) -> WrittenAnswer
    ) {
        self.init(
            name, section, to: offer, before: before, outcome: .admitted, target: target, write: write)
    }

    /// Words of the sentence with everything filled in.
    func words(_ right: WrittenAnswer, _ sent: WrittenAnswer) -> [String] {
        says.map { word in
            guard word.hasPrefix("<"), word.hasSuffix(">") else { return word }
            let name = String(word.dropFirst().dropLast())
            return name.hasPrefix("sent ") ? sent.value(String(name.dropFirst("sent ".count))) : right.value(name)
        }
    }

    var testDescription: String { "\(name) (\(offer.rawValue))" }
}

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
        outcome: GuardVerdict.Outcome = .refused, faults kinds: CredentialFault.Kind..., says: [String] = [],
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

/// What the guard offers that a mutated answer is sent to.
enum MutationOffer: String, Sendable, CaseIterable {
    /// MD5, qop auth.
    case plain
    case md5Session, sha256, sha256Session, sha512t256
    /// qop auth-int alone, with a body.
    case integrity
    /// qop auth and auth-int, with a body.
    case both
    /// No qop: RFC 2069.
    case old
    /// No algorithm in the challenge, which means MD5.
    case unnamed
    /// A gap in the count is refused.
    case gapless
    /// A nonce is good for one request.
    case singleUse
    case userhash
    /// charset UTF-8, so that a name may be given as username*.
    case utf8
    /// The realm has a quote and a backslash.
    case quotedRealm
    /// Another realm with each challenge: lab, then attic.
    case changingRealm
    /// MD5 and SHA-256, each with nonces of its own.
    case several

    /// Items below `schemes:`.
    private var schemes: [String] {
        switch self {
        case .plain: ["digest: { algorithm: MD5, qop: auth, opaque: 5ccc069c403ebaf9f0171e9517f40e41 }"]
        case .md5Session: ["digest: { algorithm: MD5-sess, qop: auth }"]
        case .sha256:
            ["digest: { algorithm: SHA-256, qop: auth, opaque: \"HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS\" }"]
        case .sha256Session: ["digest: { algorithm: SHA-256-sess, qop: auth }"]
        case .sha512t256: ["digest: { algorithm: SHA-512-256, qop: auth }"]
        case .integrity: ["digest: { algorithm: MD5, qop: auth-int }"]
        case .both: ["digest: { algorithm: SHA-256, qop: [auth, auth-int] }"]
        case .old: ["digest: { algorithm: MD5, qop: none }"]
        case .unnamed: ["digest: { algorithm: null, qop: auth }"]
        case .gapless: ["digest: { algorithm: MD5, qop: auth, nonce-count: gapless }"]
        case .singleUse: ["digest: { algorithm: MD5, qop: auth, uses: 1 }"]
        case .userhash: ["digest: { algorithm: SHA-256, qop: auth, userhash: true, charset: UTF-8 }"]
        case .utf8: ["digest: { algorithm: MD5, qop: auth, charset: UTF-8 }"]
        case .quotedRealm, .changingRealm: ["digest: { algorithm: MD5, qop: auth }"]
        case .several: ["digest: { algorithm: SHA-256, qop: auth }", "digest: { algorithm: MD5, qop: auth }"]
        }
    }

    private var realm: String {
        switch self {
        case .quotedRealm: #"'the "lab" \ cellar'"#
        case .changingRealm: "[lab, attic]"
        default: "lab"
        }
    }

    var method: String { self == .integrity || self == .both ? "POST" : "GET" }
    var content: String { self == .integrity || self == .both ? "a=1&b=2" : "" }

    /// Two guards: `lab` before everything, `cellar` before one path.
    var scenario: String {
        """
        summary: A guard for answers that are a little wrong
        tolerates: none
        guards:
          lab:
            realm: \(realm)
            users: { user: pass, other: word, "Jäsøn Doe": "Secret, or not?" }
            schemes:
        \(schemes.map { "      - \($0)" }.joined(separator: "\n"))
          cellar:
            realm: cellar
            users: { user: pass }
            schemes: [digest]
        auth: lab
        exchanges:
          - request: GET /cellar
            auth: cellar
            reply: { status: 200, body: "cellar" }
          - request: "* /*"
            reply: { status: 200, body: "open" }
        """
    }
}

/// A credential as it goes over the wire, parameter by parameter, right or wrong.
struct WrittenAnswer: Sendable {
    var field = "Authorization"
    var scheme = "Digest"
    /// Raw: with the quotes, where there are any.
    private(set) var parameters: [(name: String, raw: String)] = []
    /// Between two parameters.
    var joint = ", "
    /// Between scheme and parameters.
    var gap = " "
    /// In the place of the parameters.
    var verbatim: String?
    /// Field lines that stand below it.
    var more: [String] = []

    /// The lines of the head.
    var lines: [String] {
        let list = parameters.map { "\($0.name)=\($0.raw)" }.joined(separator: joint)
        return ["\(field): \(scheme)\(gap)\(verbatim ?? list)"] + more
    }

    /// What stands behind the name of a parameter, without its quotes.
    func value(_ name: String) -> String {
        let raw = parameters.first { $0.name == name }?.raw ?? ""
        return raw.hasPrefix("\"") && raw.hasSuffix("\"") && raw.count >= 2 ? String(raw.dropFirst().dropLast()) : raw
    }

    mutating func add(_ name: String, _ raw: String) { parameters.append((name, raw)) }
    mutating func add(_ name: String, quoted value: String) { add(name, "\"\(value)\"") }

    // MARK: Mutations

    func changing(_ change: (inout WrittenAnswer) -> Void) -> WrittenAnswer {
        var copy = self
        change(&copy)
        return copy
    }

    func without(_ names: String...) -> WrittenAnswer {
        changing { $0.parameters.removeAll { names.contains($0.name) } }
    }

    /// In its place where it is there, at the end where it isn't.
    func setting(_ name: String, _ raw: String) -> WrittenAnswer {
        changing { answer in
            if let index = answer.parameters.firstIndex(where: { $0.name == name }) {
                answer.parameters[index].raw = raw
            } else {
                answer.add(name, raw)
            }
        }
    }

    func setting(_ name: String, quoted value: String) -> WrittenAnswer { setting(name, "\"\(value)\"") }

    /// A second time, at the end, as it is.
    func doubling(_ name: String) -> WrittenAnswer {
        changing { $0.add(name, $0.parameters.first { $0.name == name }?.raw ?? "") }
    }

    func unquoting(_ name: String) -> WrittenAnswer { setting(name, value(name)) }
    func quoting(_ name: String) -> WrittenAnswer { setting(name, quoted: value(name)) }

    func reversed() -> WrittenAnswer { changing { $0.parameters.reverse() } }

    func renaming(_ change: (String) -> String) -> WrittenAnswer {
        changing { $0.parameters = $0.parameters.map { (change($0.name), $0.raw) } }
    }
}

import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorHTTPClient

/// A right request and its judge, to be spoilt in one part.
struct DigestBench: Sendable {
    var algorithm: DigestAlgorithm? = .md5
    var qualities: [QualityOfProtection] = [.authentication]
    var quality: QualityOfProtection? = .authentication
    var opaque: String? = "sealed"
    var userhash: Bool?
    var user = "user"
    var password = "0pen-up"
    var clientRealm: String?
    var clientMethod: String?
    var clientTarget: String?
    var clientContent: [UInt8]?
    var clientAlgorithm: DigestAlgorithm?
    var method = "GET"
    var target = "/a%20b?c=d"
    var content: [UInt8]? = []
    var contentLimit: Int?
    var nonceCount: UInt32 = 1
    var clientNonce = "client"
    var sessionNonce = "n1"
    var sessionClientNonce: String?
    var nonce = NonceFinding.known(KnownNonce())
    var tolerated: Set<Departure> = []
    /// Changes of the credential as it is sent.
    var change: @Sendable (inout Credentials) -> Void = { _ in }

    static let realm = "lab"
    static let accounts = [
        CredentialAccount(user: "user", password: "0pen-up"), CredentialAccount(user: "other", password: "secret"),
        CredentialAccount(user: "J\u{E4}s", password: "d\u{F8}r"),
        CredentialAccount(user: "q\"u\\", password: "0pen-up"),
    ]

    /// What the client sends.
    func value() -> [UInt8] {
        var parameters = [
            AuthenticationParameter(name: "realm", bytes: Array((clientRealm ?? Self.realm).utf8)),
            AuthenticationParameter(name: "nonce", bytes: Array("n1".utf8)),
        ]
        let used = clientAlgorithm ?? algorithm
        if let used {
            parameters.append(.init(name: "algorithm", bytes: Array(used.rawValue.utf8), isQuoted: false))
        }
        if let opaque { parameters.append(.init(name: "opaque", bytes: Array(opaque.utf8))) }
        if userhash == true { parameters.append(.init(name: "userhash", bytes: Array("true".utf8))) }
        guard let challenge = DigestChallenge(AuthenticationChallenge(scheme: "Digest", parameters: parameters)) else {
            return []
        }
        let answer = DigestAnswer(
            to: challenge, user: user, password: password, method: clientMethod ?? method,
            target: Array((clientTarget ?? target).utf8), quality: quality, nonceCount: nonceCount,
            clientNonce: clientNonce, content: clientContent ?? content ?? [],
            sessionNonces: sessionClientNonce.map { (Array(sessionNonce.utf8), $0) })
        var credentials = answer.credentials(by: OpenSSLHasher())
        change(&credentials)
        return credentials.bytes
    }

    func judge(_ value: [UInt8], by hasher: some DigestHasher = OpenSSLHasher()) -> DigestJudgement {
        let judge = DigestJudge(
            algorithm: algorithm, qualities: qualities, opaque: opaque.map { Array($0.utf8) }, userhash: userhash,
            realms: [Self.realm, "second"], accounts: Self.accounts, tolerated: tolerated, by: hasher)
        return judge.judge(
            DigestCredential(Credentials(value)),
            of: DigestRequest(
                method: Array(method.utf8), target: Array(target.utf8), content: content, contentLimit: contentLimit),
            nonce: nonce, by: hasher)
    }

    func judgement() -> DigestJudgement { judge(value()) }
}

extension Credentials {
    /// Replaces, adds or, with nil, takes away a parameter.
    mutating func set(_ name: String, _ value: String?, isQuoted: Bool? = nil) {
        guard let index = parameters.firstIndex(where: { $0.isNamed(name) }) else {
            if let value {
                parameters.append(.init(name: name, bytes: Array(value.utf8), isQuoted: isQuoted ?? true))
            }
            return
        }
        guard let value else {
            parameters.remove(at: index)
            return
        }
        parameters[index].bytes = Array(value.utf8)
        if let isQuoted { parameters[index].isQuoted = isQuoted }
    }

    mutating func quote(_ name: String, _ isQuoted: Bool) {
        for index in parameters.indices where parameters[index].isNamed(name) { parameters[index].isQuoted = isQuoted }
    }
}

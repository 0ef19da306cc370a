internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorScenario

/// What a guard that admits a request has the reply say in (Proxy-)Authentication-Info (RFC 7616 §3.5).
struct ReplyInfo {
    /// Its name.
    let field: String
    private let nextNonce: [UInt8]?
    private var proof: DigestProof?
    private let isWrong: Bool
    private let isOfContent: Bool

    /// nil where nothing is to be said.
    init?(_ finding: Finding, nextNonce: [UInt8]?, field: String) {
        let proof = finding.use?.proof
        guard nextNonce != nil || proof != nil else { return nil }
        self.field = field
        self.nextNonce = nextNonce
        self.proof = proof
        isWrong = finding.use?.isProvedWrong ?? false
        isOfContent = finding.use?.provesContent ?? false
    }

    /// Whether the reply's content is hashed into it (§3.4.3).
    var provesContent: Bool { isOfContent && proof != nil }

    /// nil where nothing is left to be said.
    var withoutProof: ReplyInfo? {
        guard nextNonce != nil else { return nil }
        var info = self
        info.proof = nil
        return info
    }

    /// The value of the field; `content` is asked for where it is proved.
    func value(content: [UInt8]) -> [UInt8] {
        guard let proof else {
            return AuthenticationInfo(
                nextNonce: nextNonce, rspauth: nil, quality: nil, clientNonce: nil, nonceCount: nil
            ).bytes
        }
        let info = proof.info(content: content, nextNonce: nextNonce, by: OpenSSLHasher())
        guard isWrong else { return info.bytes }
        return AuthenticationInfo(
            nextNonce: info.nextNonce, rspauth: info.rspauth.map(Self.spoiled), quality: info.quality,
            clientNonce: info.clientNonce, nonceCount: info.nonceCount
        ).bytes
    }

    /// Of the same form, and wrong in one digit.
    private static func spoiled(_ hash: [UInt8]) -> [UInt8] {
        guard let last = hash.last else { return hash }
        return hash.dropLast() + [last == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")]
    }
}

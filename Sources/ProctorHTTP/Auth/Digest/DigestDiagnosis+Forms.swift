import ProctorBase

/// Mistakes in A2 and around it.
extension DigestDiagnosis {
    func formGuesses(by hasher: some DigestHasher) -> [Guess] {
        var guesses: [Guess] = []
        func add(
            _ kind: CredentialFault.Kind, _ phrase: String, _ section: String = "RFC 7616 §3.4.1",
            _ change: (inout DigestInput) -> Void
        ) {
            var input = right
            change(&input)
            guard input != right else { return }
            guesses.append(Guess(kind: kind, phrase: phrase, section: section, input: input))
        }

        for method in Self.methods + [right.method.map(\.asciiLowercased)] {
            add(.wrongMethod, "with the method \(ByteQuote.quote(method))", "RFC 7616 §3.4.3") { $0.method = method }
        }
        for uri in uris {
            add(.wrongURI, "with the uri \(ByteQuote.quoteLong(uri))", "RFC 7616 §3.4.3") { $0.uri = uri }
        }
        let content = right.contentHash ?? hashOfContent(by: hasher)
        addContent(content, empty: DigestText.hash(right.secret.function, of: [], by: hasher), add)
        addProtection(content, add)
        add(.wrongResponse, "with the quotes of the nonce") { $0.nonce = quoted($0.nonce) }
        add(.wrongResponse, "without the nonce") { $0.nonce = [] }
        return guesses
    }

    /// nil where it is too long to be hashed for a guess.
    private func hashOfContent(by hasher: some DigestHasher) -> [UInt8]? {
        let content = trial.request.content ?? []
        guard content.count <= Self.contentLimit else { return nil }
        return DigestText.hash(right.secret.function, of: content, by: hasher)
    }

    private typealias Adding = (
        CredentialFault.Kind, String, String, (inout DigestInput) -> Void
    ) -> Void

    private func addContent(_ content: [UInt8]?, empty: [UInt8], _ add: Adding) {
        let section = "RFC 7616 §3.4.3"
        if right.contentHash != nil {
            add(.wrongContentHash, "with the hash of an empty content", section) { $0.contentHash = empty }
            add(.wrongContentHash, "without the content, as for auth", section) { $0.contentHash = nil }
        } else {
            if let content {
                add(.wrongContentHash, "with the hash of the content, as for auth-int", section) {
                    $0.contentHash = content
                }
            }
            add(.wrongContentHash, "with the hash of an empty content, as for auth-int", section) {
                $0.contentHash = empty
            }
        }
    }

    private func addProtection(_ content: [UInt8]?, _ add: Adding) {
        let section = "RFC 7616 §3.4.1"
        guard let protection = right.protection else {
            let count = trial.credential.nonceCountText?.bytes ?? DigestText.nonceCount(1)
            add(.wrongQop, "as for qop=auth, which the credential does not have", section) {
                $0.protection = .init(
                    quality: Array("auth".utf8), nonceCount: count, clientNonce: trial.clientNonce)
            }
            return
        }
        add(.wrongQop, "in the form of RFC 2069, without nc, cnonce and qop", section) { $0.protection = nil }
        for quality in QualityOfProtection.allCases {
            add(.wrongQop, "with \(quality.rawValue) as the text of qop", section) {
                $0.protection?.quality = Array(quality.rawValue.utf8)
            }
            guard quality == .authentication || content != nil else { continue }
            add(.wrongQop, "as for qop=\(quality.rawValue)", section) {
                $0.protection?.quality = Array(quality.rawValue.utf8)
                $0.contentHash = quality == .integrity ? content : nil
            }
        }
        let offer = trial.judge.qualities.map(\.rawValue)
        for text in [offer.joined(separator: ","), offer.joined(separator: ", ")] {
            add(.wrongQop, "with the whole offer \"\(text)\" as qop", section) {
                $0.protection?.quality = Array(text.utf8)
            }
        }
        let digits = protection.nonceCount.drop { $0 == UInt8(ascii: "0") }
        add(.malformedNonceCount, "with nc as \(ByteQuote.quote(Array(digits))), without its zeros", section) {
            $0.protection?.nonceCount = Array(digits)
        }
        add(.malformedNonceCount, "without nc", section) { $0.protection?.nonceCount = [] }
        add(.malformedNonceCount, "with the capitals of nc made small", section) {
            $0.protection?.nonceCount = protection.nonceCount.map(\.asciiLowercased)
        }
        let count = trial.credential.nonceCount ?? 1
        for other in [1, count &- 1, count &+ 1, 0] {
            let text = DigestText.nonceCount(other)
            add(.wrongResponse, "with nc \(ByteQuote.quote(text)), which is not the one that came", section) {
                $0.protection?.nonceCount = text
            }
        }
        add(.wrongResponse, "without the cnonce", section) { $0.protection?.clientNonce = [] }
        add(.wrongResponse, "with the quotes of the cnonce", section) {
            $0.protection?.clientNonce = quoted(protection.clientNonce)
        }
        add(.wrongResponse, "with the nonce in the place of the cnonce", section) {
            $0.protection?.clientNonce = right.nonce
        }
        if let first = trial.sessionClientNonce {
            add(.wrongResponse, "with the cnonce of the session's first request", section) {
                $0.protection?.clientNonce = first
            }
        }
    }

    private var uris: [[UInt8]] {
        var uris = [trial.request.target, []]
        for uri in [trial.credential.uri?.bytes ?? [], trial.request.target] {
            if let path = URIDifference.withoutQuery(uri) { uris.append(path) }
            if let origin = URIDifference.originForm(of: uri) {
                uris.append(origin)
                if let path = URIDifference.withoutQuery(origin) { uris.append(path) }
            }
            if let decoded = PercentText.decode(uri) { uris.append(decoded) }
            uris.append(quoted(uri))
            uris.append(uri.map(\.asciiLowercased))
        }
        uris.append([UInt8(ascii: "/")])
        return uris
    }

    private static let methods = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "",
    ].map { Array($0.utf8) }
}

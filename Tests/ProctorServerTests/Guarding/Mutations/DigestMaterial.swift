import ProctorBase
import ProctorCrypto
import ProctorHTTP

/// All that goes into a Digest answer, put together by the tests themselves so that they are no echo of the server; a
/// right answer is made of what the challenge says; a mutation changes the material before, or the answer after.
struct DigestMaterial: Sendable {
    /// As the challenge writes it, without quotes; "MD5" where it names none.
    var algorithm: String
    var isAlgorithmNamed: Bool
    var user = "user"
    var password = "pass"
    var realm: String
    var nonce: String
    var opaque: String?
    /// nil: the form of RFC 2069, without nc and cnonce.
    var quality: String?
    var nonceCount = "00000001"
    var clientNonce = "0a4f113b"
    var method: String
    var target: String
    var content: [UInt8]
    /// From the challenge of another guard of the same server.
    var foreignNonce = ""
    /// Of the last challenge, where there are several.
    var otherNonce = ""

    /// The answer to a challenge; of several qualities `prefers` is taken, else the first.
    init(
        _ challenge: [String: String], method: String, target: String, content: [UInt8], prefers: String? = nil
    ) {
        algorithm = challenge["algorithm"] ?? "MD5"
        isAlgorithmNamed = challenge["algorithm"] != nil
        realm = challenge["realm"] ?? ""
        nonce = challenge["nonce"] ?? ""
        opaque = challenge["opaque"]
        let qualities = (challenge["qop"] ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        quality = qualities.first { $0 == prefers } ?? qualities.first
        self.method = method
        self.target = target
        self.content = content
    }

    /// With one or more parts changed.
    func changing(_ change: (inout DigestMaterial) -> Void) -> DigestMaterial {
        var copy = self
        change(&copy)
        return copy
    }

    // MARK: Hashes

    /// RFC 7616 §3.4.1, and §3.4.1 of RFC 2617 for the form without qop.
    var response: String {
        var rest = [nonce]
        if let quality { rest += [nonceCount, clientNonce, quality] }
        return hash(([secret] + rest + [hash(protected)]).joined(separator: ":"))
    }

    /// The hash of A1 (§3.4.2).
    var secret: String {
        let plain = hash("\(user):\(realm):\(password)")
        return algorithm.hasSuffix("-sess") ? hash("\(plain):\(nonce):\(clientNonce)") : plain
    }

    /// A2 (§3.4.3).
    private var protected: String {
        let line = "\(method):\(target)"
        return quality == "auth-int" ? "\(line):\(hash(content))" : line
    }

    func hash(_ text: String) -> String { hash(Array(text.utf8)) }

    func hash(_ bytes: [UInt8]) -> String {
        let function: HashFunction =
            switch algorithm {
            case "SHA-256", "SHA-256-sess": .sha256
            case "SHA-512-256", "SHA-512-256-sess": .sha512t256
            default: .md5
            }
        var output: [UInt8] = []
        OpenSSLHasher().appendHash(function, of: bytes.span, to: &output)
        return output.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }

    // MARK: Answers

    /// As RFC 7616 §3.4 wants it: names and strings quoted, algorithm, qop and nc not.
    var answer: WrittenAnswer { answer(with: response) }

    func answer(with response: String) -> WrittenAnswer {
        var written = WrittenAnswer()
        written.add("username", quoted: user)
        written.add("realm", quoted: realm.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))
        written.add("nonce", quoted: nonce)
        written.add("uri", quoted: target)
        if isAlgorithmNamed { written.add("algorithm", algorithm) }
        if let quality {
            written.add("qop", quality)
            written.add("nc", nonceCount)
            written.add("cnonce", quoted: clientNonce)
        } else if algorithm.hasSuffix("-sess") {
            written.add("cnonce", quoted: clientNonce)
        }
        written.add("response", quoted: response)
        if let opaque { written.add("opaque", quoted: opaque) }
        return written
    }

    /// Everything is written as it should be, but the response is that of other material.
    func answer(computedWith change: (inout DigestMaterial) -> Void) -> WrittenAnswer {
        answer(with: changing(change).response)
    }
}

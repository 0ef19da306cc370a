import ProctorBase
import ProctorCrypto
import ProctorHTTP

/// All that goes into a Digest answer (RFC 7616 §3.4), put together here so that it is no echo of the server.
struct DigestMaterial: Sendable {
    /// As the challenge writes it; "MD5" where it names none.
    var algorithm: String
    let isAlgorithmNamed: Bool
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
    /// Of the challenge and the first answer to it, for a nonce that was no challenge.
    var session: (nonce: String, clientNonce: String)?

    init(_ challenge: [String: String], method: String, target: String, content: [UInt8]) {
        algorithm = challenge["algorithm"] ?? "MD5"
        isAlgorithmNamed = challenge["algorithm"] != nil
        realm = challenge["realm"] ?? ""
        nonce = challenge["nonce"] ?? ""
        opaque = challenge["opaque"]
        quality = (challenge["qop"] ?? "").split { $0 == "," || $0 == " " }.first.map(String.init)
        self.method = method
        self.target = target
        self.content = content
    }

    /// Changes a part by its name in a page; false: there is none.
    mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "algorithm": algorithm = value
        case "user": user = value
        case "password": password = value
        case "realm": realm = value
        case "nonce": nonce = value
        case "opaque": opaque = value
        case "qop": quality = value == "none" ? nil : value
        case "nc": nonceCount = value.count < 5 && Int(value) != nil ? Self.count(Int(value) ?? 0) : value
        case "cnonce": clientNonce = value
        case "method": method = value
        case "uri": target = value
        case "content": content = Array(value.utf8)
        default: return false
        }
        return true
    }

    /// Eight digits.
    static func count(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    // MARK: Hashes

    /// §3.4.1, and §3.4.1 of RFC 2617 for the form without qop.
    var response: String { response(secret, hash(protected(method))) }

    /// The proof of the server (§3.5) for a reply of this content.
    func proof(content: [UInt8]) -> String {
        var other = self
        other.content = content
        return other.response(secret, hash(other.protected("")))
    }

    func response(_ secret: String, _ protected: String) -> String {
        var rest = [nonce]
        if let quality { rest += [nonceCount, clientNonce, quality] }
        return hash(([secret] + rest + [protected]).joined(separator: ":"))
    }

    /// The hash of A1 (§3.4.2).
    var secret: String {
        let plain = hash(plainSecret)
        guard algorithm.hasSuffix("-sess") else { return plain }
        let session = session ?? (nonce, clientNonce)
        return hash("\(plain):\(session.nonce):\(session.clientNonce)")
    }

    var plainSecret: String { "\(user):\(realm):\(password)" }

    /// A2 (§3.4.3).
    private func protected(_ method: String) -> String {
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
        return output.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: Answers

    /// As RFC 7616 §3.4 wants it: names and strings quoted, algorithm, qop and nc not.
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
}

/// A credential as it goes over the wire, parameter by parameter, right or wrong.
struct WrittenAnswer: Sendable {
    var field = "Authorization"
    var scheme = "Digest"
    /// Raw: with the quotes, where there are any.
    var parameters: [(name: String, raw: String)] = []
    /// Between two parameters.
    var joint = ", "
    /// Between scheme and parameters.
    var gap = " "
    /// In the place of the parameters.
    var verbatim: String?

    var line: String {
        let list = parameters.map { "\($0.name)=\($0.raw)" }.joined(separator: joint)
        return "\(field): \(scheme)\(gap)\(verbatim ?? list)"
    }

    func raw(_ name: String) -> String { parameters.first { $0.name == name }?.raw ?? "" }

    /// What stands behind the name of a parameter, without its quotes.
    func value(_ name: String) -> String {
        let raw = raw(name)
        return raw.hasPrefix("\"") && raw.hasSuffix("\"") && raw.count >= 2 ? String(raw.dropFirst().dropLast()) : raw
    }

    mutating func add(_ name: String, _ raw: String) { parameters.append((name, raw)) }
    mutating func add(_ name: String, quoted value: String) { add(name, "\"\(value)\"") }

    /// In its place where it is there, at the end where it isn't.
    mutating func set(_ name: String, _ raw: String) {
        if let index = parameters.firstIndex(where: { $0.name == name }) {
            parameters[index].raw = raw
        } else {
            add(name, raw)
        }
    }
}

import ProctorHTTP

extension Mutation {
    /// Everything is written as it should be, and the response is another.
    static let responses: [Mutation] = [
        Mutation(
            "a response in upper case", "RFC 7616 §3.4", faults: .malformedResponse, says: ["<response>", "lower case"]
        ) {
            let answer = $0.answer
            return answer.setting("response", quoted: answer.value("response").uppercased())
        },
        Mutation(
            "one digit of the response is off", "RFC 7616 §3.4.1", faults: .wrongResponse,
            says: ["<response>", "<sent response>"]
        ) {
            let answer = $0.answer
            let right = answer.value("response")
            return answer.setting("response", quoted: (right.hasPrefix("0") ? "1" : "0") + right.dropFirst())
        },
        Mutation(
            "one digit of the response is missing", "RFC 7616 §3.4", faults: .malformedResponse, says: ["31", "32"]
        ) {
            let answer = $0.answer
            return answer.setting("response", quoted: String(answer.value("response").dropLast()))
        },
        Mutation("a response that is no hexadecimal", "RFC 7616 §3.4", faults: .malformedResponse) {
            let answer = $0.answer
            return answer.setting("response", quoted: "x" + answer.value("response").dropFirst())
        },
        Mutation(
            "the hash of another password", "RFC 7616 §3.4.1", faults: .wrongResponse,
            says: ["<response>", "<sent response>", "password"]
        ) {
            $0.answer { $0.password = "guess" }
        },
        Mutation("an empty password", "RFC 7616 §3.4.2", faults: .wrongPassword, says: ["empty", "password"]) {
            $0.answer { $0.password = "" }
        },
        Mutation("another user's password", "RFC 7616 §3.4.2", faults: .wrongPassword, says: ["user"]) {
            $0.answer { $0.password = "word" }
        },
        Mutation(
            "computed with another method", "RFC 7616 §3.4.3", faults: .wrongMethod, says: ["\"POST\"", "<response>"]
        ) {
            $0.answer { $0.method = "POST" }
        },
        Mutation(
            "computed with the method in lower case", "RFC 7616 §3.4.3", faults: .wrongMethod,
            says: ["\"get\"", "<response>"]
        ) {
            $0.answer { $0.method = "get" }
        },
        Mutation("computed without a realm", "RFC 7616 §3.4.2", faults: .wrongRealm, says: ["realm"]) {
            $0.answer { $0.realm = "" }
        },
        Mutation("computed with the path alone", "RFC 7616 §3.4.3", faults: .wrongURI, says: ["/a%20b/c", "uri"]) {
            $0.answer { $0.target = "/a%20b/c" }
        },
        Mutation("computed in the form of RFC 2069", "RFC 7616 §3.4.1", faults: .wrongQop, says: ["RFC 2069"]) {
            $0.answer { $0.quality = nil }
        },
        Mutation("computed with qop where none is offered", "RFC 7616 §3.4.1", to: .old, faults: .wrongResponse) {
            $0.answer { $0.quality = "auth" }
        },
        Mutation("computed by the session's rule", "RFC 7616 §3.4.2", faults: .wrongAlgorithm, says: ["MD5-sess"]) {
            $0.answer { $0.algorithm = "MD5-sess" }
        },
        Mutation(
            "a session computed without nonces", "RFC 7616 §3.4.2", to: .md5Session, faults: .wrongAlgorithm,
            says: ["computed by MD5,", "MD5-sess"]
        ) { $0.answer { $0.algorithm = "MD5" } },
        Mutation(
            "SHA-256 under the name of MD5", "RFC 7616 §3.4.2", faults: .wrongAlgorithm, says: ["by SHA-256", "MD5"]
        ) {
            $0.answer { $0.algorithm = "SHA-256" }
        },
        Mutation(
            "MD5 under the name of SHA-256", "RFC 7616 §3.4.2", to: .sha256, faults: .wrongAlgorithm,
            says: ["by MD5", "SHA-256"]
        ) {
            $0.answer { $0.algorithm = "MD5" }
        },
        Mutation(
            "SHA-256 under the name of SHA-512-256", "RFC 7616 §3.4.2", to: .sha512t256, faults: .wrongAlgorithm,
            says: ["by SHA-256", "SHA-512-256"]
        ) { $0.answer { $0.algorithm = "SHA-256" } },
        Mutation(
            "the secret is not hashed", "RFC 7616 §3.4.1", faults: .wrongResponse,
            says: ["<response>", "<sent response>"]
        ) {
            material in
            let plain = "\(material.user):\(material.realm):\(material.password)"
            let protected = material.hash("\(material.method):\(material.target)")
            let parts = [plain, material.nonce, material.nonceCount, material.clientNonce, "auth", protected]
            return material.answer(with: material.hash(parts.joined(separator: ":")))
        },
        Mutation(
            "another cnonce is written than hashed", "RFC 7616 §3.4.1", faults: .wrongResponse,
            says: ["<response>", "<sent response>"]
        ) {
            $0.answer { $0.clientNonce = "ffff" }
        },
        Mutation(
            "the hash of an empty body", "RFC 7616 §3.4.3", to: .integrity, faults: .wrongContentHash, says: ["empty"]
        ) {
            $0.answer { $0.content = [] }
        },
        Mutation("the hash of another body", "RFC 7616 §3.4.1", to: .integrity, faults: .wrongResponse) {
            $0.answer { $0.content = Array("a=1&b=3".utf8) }
        },
        Mutation(
            "auth-int computed as auth", "RFC 7616 §3.4.3", to: .integrity, faults: .wrongContentHash, says: ["auth"]
        ) {
            material in
            let protected = material.hash("\(material.method):\(material.target)")
            let parts = [
                material.secret, material.nonce, material.nonceCount, material.clientNonce, "auth-int", protected,
            ]
            return material.answer(with: material.hash(parts.joined(separator: ":")))
        },
    ]

    /// The same slip under every algorithm: the reason must not depend on it.
    static let underEveryAlgorithm: [Mutation] =
        [MutationOffer.md5Session, .sha256, .sha256Session, .sha512t256].flatMap { offer in
            [
                Mutation(
                    "computed with another method", "RFC 7616 §3.4.3", to: offer, faults: .wrongMethod, says: ["POST"]
                ) {
                    $0.answer { $0.method = "POST" }
                },
                Mutation(
                    "the hash of another password", "RFC 7616 §3.4.1", to: offer, faults: .wrongResponse,
                    says: ["<response>"]
                ) {
                    $0.answer { $0.password = "guess" }
                },
                Mutation("an empty password", "RFC 7616 §3.4.2", to: offer, faults: .wrongPassword, says: ["empty"]) {
                    $0.answer { $0.password = "" }
                },
                Mutation("another target", "RFC 7616 §3.4", to: offer, faults: .wrongURI, says: ["\"/other\""]) {
                    $0.changing { $0.target = "/other" }.answer
                },
                Mutation(
                    "nc seen before", "RFC 7616 §3.4", to: offer, before: 1, faults: .replayedNonceCount,
                    says: ["00000001"]
                ) {
                    $0.changing { $0.nonceCount = "00000001" }.answer
                },
            ]
        }
}

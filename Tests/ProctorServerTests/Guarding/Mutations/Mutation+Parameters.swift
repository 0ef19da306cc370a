import ProctorHTTP

extension Mutation {
    /// A parameter is missing, there twice, or empty.
    static let presence: [Mutation] =
        ["username", "realm", "nonce", "uri", "qop", "nc", "cnonce", "response"].map { name in
            Mutation("no \(name)", "RFC 7616 §3.4", .missingParameter, says: [name]) { $0.answer.without(name) }
        } + [
            Mutation("no opaque", "RFC 7616 §3.4", .missingParameter, says: ["opaque", "<opaque>"]) {
                $0.answer.without("opaque")
            },
            Mutation(
                "no algorithm where SHA-256 was", "RFC 7616 §3.4", to: .sha256, .missingParameter,
                says: ["algorithm", "SHA-256"]
            ) { $0.answer.without("algorithm") },
            // The challenge named it, and it comes back as it was, though its absence would mean the same in a challenge.
            Mutation(
                "no algorithm where MD5 was", "RFC 7616 §3.4", .missingParameter, says: ["algorithm", "MD5"]
            ) { $0.answer.without("algorithm") },
            Mutation("no cnonce in a session", "RFC 7616 §3.4", to: .md5Session, .missingParameter, says: ["cnonce"]) {
                $0.answer.without("cnonce")
            },
        ]
        + ["username", "realm", "nonce", "uri", "algorithm", "qop", "nc", "cnonce", "response", "opaque"].map { name in
            Mutation("\(name) twice", "RFC 9110 §11.6.2", .duplicateParameter, says: [name]) {
                $0.answer.doubling(name)
            }
        } + [
            Mutation("an empty username", "RFC 7616 §3.4", .unknownUser, says: ["\"\""]) {
                $0.changing { $0.user = "" }.answer
            },
            Mutation("an empty realm", "RFC 7616 §3.4", .wrongRealm, says: ["\"lab\"", "\"\""]) {
                $0.changing { $0.realm = "" }.answer
            },
            Mutation("an empty nonce", "RFC 7616 §3.4", .unknownNonce, says: ["\"\""]) {
                $0.changing { $0.nonce = "" }.answer
            },
            Mutation("an empty uri", "RFC 7616 §3.4", .wrongURI, says: ["\"\"", "<uri>"]) {
                $0.changing { $0.target = "" }.answer
            },
            Mutation("an empty cnonce", "RFC 7616 §3.4", .emptyClientNonce, says: ["cnonce"]) {
                $0.changing { $0.clientNonce = "" }.answer
            },
            Mutation("an empty response", "RFC 7616 §3.4", .malformedResponse, says: ["32"]) {
                $0.answer.setting("response", quoted: "")
            },
            Mutation("an empty qop", "RFC 9110 §11.6.2", .malformedField, .missingParameter, says: ["qop"]) {
                $0.answer.setting("qop", "")
            },
            Mutation("an empty nc", "RFC 9110 §11.6.2", .malformedField, .missingParameter, says: ["nc"]) {
                $0.answer.setting("nc", "")
            },
        ]

    /// A token where a string belongs, or the reverse (RFC 7616 §3.4 names which).
    static let quoting: [Mutation] =
        ["username", "realm", "cnonce", "response", "opaque"].map { name in
            Mutation("\(name) without quotes", "RFC 7616 §3.4", .wrongQuoting, says: [name, "quote"]) {
                $0.answer.unquoting(name)
            }
        }
        + ["algorithm", "qop", "nc"].map { name in
            Mutation("\(name) in quotes", "RFC 7616 §3.4", .wrongQuoting, says: [name, "quote"]) {
                $0.answer.quoting(name)
            }
        } + [
            Mutation("uri without quotes", "RFC 9110 §11.6.2", .malformedField, .missingParameter, says: ["uri"]) {
                $0.answer.unquoting("uri")
            },
            Mutation(
                "a username that never ends", "RFC 9110 §11.6.2", .malformedField, .missingParameter,
                says: ["\"user", "never ends"]
            ) {
                $0.answer.changing { $0.verbatim = "realm=\"lab\", username=\"user" }
            },
        ]

    /// The count of requests with a nonce.
    static let counts: [Mutation] = [
        Mutation("nc of 7 digits", "RFC 7616 §3.4", .malformedNonceCount, says: ["\"0000001\"", "7 digits", "eight"]) {
            $0.changing { $0.nonceCount = "0000001" }.answer
        },
        Mutation("nc of 9 digits", "RFC 7616 §3.4", .malformedNonceCount, says: ["\"000000001\"", "9 digits", "eight"])
        {
            $0.changing { $0.nonceCount = "000000001" }.answer
        },
        Mutation("nc in upper case", "RFC 7616 §3.4", .malformedNonceCount, says: ["\"0000000A\""]) {
            $0.changing { $0.nonceCount = "0000000A" }.answer
        },
        Mutation("nc that is no number", "RFC 7616 §3.4", .malformedNonceCount, says: ["\"zzzzzzzz\""]) {
            $0.changing { $0.nonceCount = "zzzzzzzz" }.answer
        },
        Mutation("nc of 0", "RFC 7616 §3.4", .malformedNonceCount, says: ["00000000", "00000001"]) {
            $0.changing { $0.nonceCount = "00000000" }.answer
        },
        Mutation("nc seen before", "RFC 7616 §3.4", before: 2, .replayedNonceCount, says: ["00000002"]) {
            $0.changing { $0.nonceCount = "00000002" }.answer
        },
        Mutation("the whole answer of before", "RFC 7616 §3.4", before: 1, .replayedNonceCount, says: ["00000001"]) {
            $0.changing { $0.nonceCount = "00000001" }.answer
        },
        Mutation(
            "a gap where none may be", "RFC 7616 §3.4", to: .gapless, before: 1, .skippedNonceCount,
            says: ["00000002", "00000005"]
        ) { $0.changing { $0.nonceCount = "00000005" }.answer },
        Mutation(
            "the second request of a session with a new cnonce", "RFC 7616 §3.4.2", to: .md5Session, before: 1,
            .changedClientNonce, says: ["cnonce", "first request", "<sent response>"]
        ) { $0.changing { $0.clientNonce = "ffff" }.answer },
        Mutation(
            "nc written 00000001 and counted as 2", "RFC 7616 §3.4.1", .wrongResponse,
            says: ["<response>", "<sent response>"]
        ) {
            $0.answer { $0.nonceCount = "00000002" }
        },
    ]
}

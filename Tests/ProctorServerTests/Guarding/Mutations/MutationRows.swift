import ProctorHTTP
import ProctorTestWire

@testable import ProctorJournal

extension Mutation {
    /// The field as a whole.
    static let fields: [Mutation] = [
        Mutation(
            "a token in place of the parameters", "RFC 7616 §3.4", faults: .missingParameter, .missingQop,
            says: ["username"]
        ) {
            $0.answer.changing { $0.verbatim = "dXNlcjpwYXNz" }
        },
        Mutation("the scheme and nothing", "RFC 7616 §3.4", faults: .missingParameter, .missingQop) {
            $0.answer.changing { $0.verbatim = "" }
        },
        Mutation("parameters without commas", "RFC 9110 §11.6.2", faults: .malformedField) {
            $0.answer.changing { $0.joint = " " }
        },
        Mutation(
            "Basic where only Digest is offered", "RFC 9110 §11.6.2", faults: .wrongScheme,
            says: ["\"Basic\"", "Digest"]
        ) {
            $0.answer.changing {
                $0.scheme = "Basic"
                $0.verbatim = "dXNlcjpwYXNz"
            }
        },
        Mutation("a scheme that nobody knows", "RFC 9110 §11.6.2", faults: .wrongScheme, says: ["Digestive", "Digest"])
        {
            $0.answer.changing { $0.scheme = "Digestive" }
        },
        Mutation("two fields", "RFC 9110 §5.3", faults: .severalFields, says: ["2 "]) { material in
            material.answer.changing { $0.more = material.answer.lines }
        },
        Mutation("in the field for proxies", "RFC 9110 §11.7.2", outcome: .challenged) {
            $0.answer.changing { $0.field = "Proxy-Authorization" }
        },
    ]

    /// What looks odd and must be admitted.
    static let legal: [Mutation] =
        MutationOffer.allCases.map { offer in
            Mutation(legal: "the right answer", "RFC 7616 §3.4", to: offer) { $0.answer }
        } + [
            Mutation(legal: "the scheme in lower case", "RFC 9110 §11.1") {
                $0.answer.changing { $0.scheme = "digest" }
            },
            Mutation(legal: "the scheme in upper case", "RFC 9110 §11.1") {
                $0.answer.changing { $0.scheme = "DIGEST" }
            },
            Mutation(legal: "the parameters the other way round", "RFC 9110 §11.2") { $0.answer.reversed() },
            Mutation(legal: "names in upper case", "RFC 9110 §11.2") { $0.answer.renaming { $0.uppercased() } },
            Mutation(legal: "no blank behind commas", "RFC 9110 §5.6.1") { $0.answer.changing { $0.joint = "," } },
            Mutation(legal: "blanks and tabs around commas", "RFC 9110 §5.6.1") {
                $0.answer.changing { $0.joint = " \t,\t " }
            },
            Mutation(legal: "empty elements of the list", "RFC 9110 §5.6.1.2") {
                $0.answer.changing { $0.joint = ", ," }
            },
            Mutation(legal: "several blanks behind the scheme", "RFC 9110 §11.4") {
                $0.answer.changing { $0.gap = "   " }
            },
            Mutation(legal: "a quoted-pair that nobody needs", "RFC 9110 §5.6.4") {
                $0.answer.setting("username", #""\us\er""#)
            },
            Mutation(legal: "a realm with quoted-pairs", "RFC 9110 §5.6.4", to: .quotedRealm) {
                $0.answer.setting("realm", #""the \"lab\" \\ cellar""#)
            },
            Mutation(legal: "a parameter that nobody knows", "RFC 7616 §3.4") {
                $0.answer.setting("colour", quoted: "red")
            },
            Mutation(legal: "the algorithm in lower case", "RFC 7616 §3.4") { $0.answer.setting("algorithm", "md5") },
            Mutation(legal: "the algorithm named where the challenge names none", "RFC 7616 §3.3", to: .unnamed) {
                $0.answer.setting("algorithm", "MD5")
            },
            Mutation(legal: "auth-int where both are offered", "RFC 7616 §3.4", to: .both) {
                $0.changing { $0.quality = "auth-int" }.answer
            },
            Mutation(legal: "the weaker one of two algorithms", "RFC 7616 §3.7", to: .several) { material in
                material.changing {
                    $0.algorithm = "MD5"
                    $0.nonce = material.otherNonce
                }.answer
            },
            Mutation(legal: "a gap in the count", "RFC 7616 §3.4", before: 1) {
                $0.changing { $0.nonceCount = "00000009" }.answer
            },
            Mutation(legal: "a count with letters", "RFC 7616 §3.4") {
                $0.changing { $0.nonceCount = "0000000a" }.answer
            },
            Mutation(legal: "the greatest count", "RFC 7616 §3.4") {
                $0.changing { $0.nonceCount = "ffffffff" }.answer
            },
            Mutation(legal: "another cnonce for the second request", "RFC 7616 §3.4", before: 1) {
                $0.changing { $0.clientNonce = "another" }.answer
            },
            Mutation(legal: "the second request of a session", "RFC 7616 §3.4.2", to: .md5Session, before: 1) {
                $0.answer
            },
            Mutation(legal: "a name that is hashed", "RFC 7616 §3.4.4", to: .userhash) { material in
                material.answer.setting("username", quoted: material.hash("user:lab")).setting("userhash", "true")
            },
            Mutation(legal: "userhash=false", "RFC 7616 §3.4", to: .userhash) {
                $0.answer.setting("userhash", "false")
            },
            Mutation(legal: "username*", "RFC 7616 §3.4", to: .utf8) { material in
                material.jason.answer.without("username").setting("username*", "UTF-8''J%C3%A4s%C3%B8n%20Doe")
            },
            Mutation(legal: "username* with a language and small letters", "RFC 8187 §3.2", to: .utf8) { material in
                material.jason.answer.without("username").setting("username*", "utf-8'no'J%c3%a4s%c3%b8n%20Doe")
            },
            Mutation(legal: "a hashed name beyond ASCII", "RFC 7616 §3.9.2", to: .userhash) { material in
                material.jason.answer.setting("username", quoted: material.hash("Jäsøn Doe:lab"))
                    .setting("userhash", "true")
            },
            Mutation(legal: "the absolute form of an absolute target", "RFC 7616 §3.4.6", target: "http://a/b") {
                $0.answer
            },
        ]

    /// Those that are refused, or found to be stale.
    static let wrong = presence + quoting + counts + values + responses + underEveryAlgorithm + fields
}

extension DigestMaterial {
    /// The account whose name needs more than ASCII.
    fileprivate var jason: DigestMaterial {
        changing {
            $0.user = "Jäsøn Doe"
            $0.password = "Secret, or not?"
        }
    }
}

extension Mutation {
    /// A parameter is right in its form and wrong in what it says.
    static let values: [Mutation] = [
        Mutation("a user that nobody knows", "RFC 7616 §3.4", faults: .unknownUser, says: ["\"nobody\""]) {
            $0.changing { $0.user = "nobody" }.answer
        },
        Mutation("another realm", "RFC 7616 §3.4", faults: .wrongRealm, says: ["\"lab\"", "\"Lab\""]) {
            $0.changing { $0.realm = "Lab" }.answer
        },
        Mutation("a nonce that was made up", "RFC 7616 §3.4", faults: .unknownNonce, says: ["\"0123456789abcdef\""]) {
            $0.changing { $0.nonce = "0123456789abcdef" }.answer
        },
        Mutation(
            "a nonce of another guard", "RFC 7616 §3.4", faults: .unknownNonce, says: ["<sent nonce>", "never given"]
        ) {
            material in material.changing { $0.nonce = material.foreignNonce }.answer
        },
        Mutation(
            "a nonce of another realm", "RFC 7616 §3.4", to: .changingRealm, faults: .nonceOfAnotherRealm,
            says: ["<nonce>", "\"lab\""]
        ) { $0.changing { $0.realm = "attic" }.answer },
        Mutation(
            "a nonce that is used up", "RFC 7616 §3.3", to: .singleUse, before: 1, outcome: .stale, faults: .staleNonce,
            says: ["nonce"]
        ) { $0.answer },
        Mutation(
            "a nonce that is used up, and a wrong password", "RFC 7616 §3.3", to: .singleUse, before: 1,
            faults: .wrongResponse, .staleNonce
        ) { $0.answer { $0.password = "guess" } },
        Mutation("another opaque", "RFC 7616 §3.4", faults: .wrongOpaque, says: ["\"x\"", "<opaque>"]) {
            $0.changing { $0.opaque = "x" }.answer
        },
        Mutation("another algorithm", "RFC 7616 §3.4", faults: .wrongAlgorithm, says: ["SHA-256", "MD5"]) {
            $0.changing { $0.algorithm = "SHA-256" }.answer
        },
        Mutation(
            "the session form of the algorithm", "RFC 7616 §3.4", faults: .wrongAlgorithm, says: ["MD5-sess", "MD5"]
        ) {
            $0.changing { $0.algorithm = "MD5-sess" }.answer
        },
        Mutation("an algorithm that nobody knows", "RFC 7616 §3.4", faults: .wrongAlgorithm, says: ["SHA-1", "MD5"]) {
            $0.answer.setting("algorithm", "SHA-1")
        },
        Mutation(
            "the nonce of the other algorithm", "RFC 7616 §3.4", to: .several, faults: .nonceOfAnotherAlgorithm,
            says: ["<nonce>", "SHA-256"]
        ) { $0.changing { $0.algorithm = "MD5" }.answer },
        Mutation("auth-int where only auth is offered", "RFC 7616 §3.4", faults: .wrongQop, says: ["auth-int", "auth"])
        {
            $0.changing { $0.quality = "auth-int" }.answer
        },
        Mutation(
            "auth where only auth-int is offered", "RFC 7616 §3.4", to: .integrity, faults: .wrongQop,
            says: ["auth-int"]
        ) { $0.changing { $0.quality = "auth" }.answer },
        Mutation("a qop that nobody knows", "RFC 7616 §3.4", faults: .wrongQop, says: ["auth-conf", "auth"]) {
            $0.changing { $0.quality = "auth-conf" }.answer
        },
        Mutation(
            "the list of qop in place of one", "RFC 7616 §3.4", to: .both, faults: .wrongQuoting, .wrongQop,
            says: ["auth,auth-int"]
        ) {
            $0.answer.setting("qop", quoted: "auth,auth-int")
        },
        Mutation("a qop where none is offered", "RFC 2617 §3.2.2", to: .old, faults: .unwantedParameter, says: ["qop"])
        {
            $0.changing { $0.quality = "auth" }.answer
        },
        Mutation("only the path of the target", "RFC 7616 §3.4", faults: .wrongURI, says: ["/a%20b/c\"", "<uri>"]) {
            $0.changing { $0.target = "/a%20b/c" }.answer
        },
        Mutation(
            "the absolute form of an origin's target", "RFC 7616 §3.4", faults: .wrongURI,
            says: ["http://a", "absolute"]
        ) { $0.changing { $0.target = "http://a\($0.target)" }.answer },
        Mutation(
            "the origin form of an absolute target", "RFC 7616 §3.4", faults: .wrongURI,
            says: ["\"/b\"", "absolute form"],
            target: "http://a/b"
        ) { $0.changing { $0.target = "/b" }.answer },
        Mutation(
            "the target with its escapes undone", "RFC 7616 §3.4", faults: .wrongURI,
            says: ["/a b/c?d=e/f&g=1", "<uri>"]
        ) { $0.changing { $0.target = "/a b/c?d=e/f&g=1" }.answer },
        Mutation("escapes in lower case", "RFC 7616 §3.4", faults: .wrongURI, says: ["%2f", "%2F"]) {
            $0.changing { $0.target = "/a%20b/c?d=e%2ff&g=1" }.answer
        },
        Mutation("another target", "RFC 7616 §3.4", faults: .wrongURI, says: ["\"/other\"", "<uri>"]) {
            $0.changing { $0.target = "/other" }.answer
        },
        Mutation(
            "userhash=true and a plain name", "RFC 7616 §3.4.4", to: .userhash, faults: .wrongUserhash,
            says: ["userhash"]
        ) { $0.answer.setting("userhash", "true") },
        Mutation("userhash=perhaps", "RFC 7616 §3.4", to: .userhash, faults: .wrongUserhash, says: ["perhaps", "true"])
        {
            $0.answer.setting("userhash", "perhaps")
        },
        Mutation(
            "a hashed name that doesn't say so", "RFC 7616 §3.4.4", to: .userhash, faults: .wrongUserhash,
            says: ["userhash=true"]
        ) { material in
            material.answer.setting("username", quoted: material.hash("user:lab"))
        },
        Mutation(
            "username* without its charset", "RFC 8187 §3.2", to: .utf8, faults: .malformedExtendedUser,
            says: ["\"user\"", "UTF-8''"]
        ) { $0.answer.without("username").setting("username*", "user") },
        Mutation(
            "username* with half an escape", "RFC 8187 §3.2", to: .utf8, faults: .malformedExtendedUser, says: ["%c"]
        ) {
            $0.answer.without("username").setting("username*", "UTF-8''us%c")
        },
        Mutation("username and username*", "RFC 7616 §3.4", to: .utf8, faults: .unwantedParameter, says: ["username*"])
        {
            $0.answer.setting("username*", "UTF-8''user")
        },
        Mutation(
            "username* with a hashed name", "RFC 7616 §3.4", to: .userhash, faults: .malformedExtendedUser,
            says: ["username*"]
        ) { $0.answer.without("username").setting("username*", "UTF-8''user").setting("userhash", "true") },
    ]
}

extension Mutation {
    /// A parameter is missing, there twice, or empty.
    static let presence: [Mutation] =
        ["username", "realm", "nonce", "uri", "qop", "nc", "cnonce", "response"].map { name in
            Mutation(
                "no \(name)", "RFC 7616 §3.4", faults: name == "qop" ? .missingQop : .missingParameter, says: [name]
            ) { $0.answer.without(name) }
        } + [
            Mutation("no opaque", "RFC 7616 §3.4", faults: .missingParameter, says: ["opaque", "<opaque>"]) {
                $0.answer.without("opaque")
            },
            Mutation(
                "no algorithm where SHA-256 was", "RFC 7616 §3.4", to: .sha256, faults: .missingParameter,
                says: ["algorithm", "SHA-256"]
            ) { $0.answer.without("algorithm") },
            // The challenge named it, and it comes back as it was, though its absence would mean the same in a challenge.
            Mutation(
                "no algorithm where MD5 was", "RFC 7616 §3.4", faults: .missingParameter, says: ["algorithm", "MD5"]
            ) { $0.answer.without("algorithm") },
            Mutation(
                "no cnonce in a session", "RFC 7616 §3.4", to: .md5Session, faults: .missingParameter, says: ["cnonce"]
            ) {
                $0.answer.without("cnonce")
            },
        ]
        + ["username", "realm", "nonce", "uri", "algorithm", "qop", "nc", "cnonce", "response", "opaque"].map { name in
            Mutation("\(name) twice", "RFC 9110 §11.6.2", faults: .duplicateParameter, says: [name]) {
                $0.answer.doubling(name)
            }
        } + [
            Mutation("an empty username", "RFC 7616 §3.4", faults: .unknownUser, says: ["\"\""]) {
                $0.changing { $0.user = "" }.answer
            },
            Mutation("an empty realm", "RFC 7616 §3.4", faults: .wrongRealm, says: ["\"lab\"", "\"\""]) {
                $0.changing { $0.realm = "" }.answer
            },
            Mutation("an empty nonce", "RFC 7616 §3.4", faults: .unknownNonce, says: ["\"\""]) {
                $0.changing { $0.nonce = "" }.answer
            },
            Mutation("an empty uri", "RFC 7616 §3.4", faults: .wrongURI, says: ["\"\"", "<uri>"]) {
                $0.changing { $0.target = "" }.answer
            },
            Mutation("an empty cnonce", "RFC 7616 §3.4", faults: .emptyClientNonce, says: ["cnonce"]) {
                $0.changing { $0.clientNonce = "" }.answer
            },
            Mutation("an empty response", "RFC 7616 §3.4", faults: .malformedResponse, says: ["32"]) {
                $0.answer.setting("response", quoted: "")
            },
            Mutation("an empty qop", "RFC 9110 §11.6.2", faults: .malformedField, .missingQop, says: ["qop"]) {
                $0.answer.setting("qop", "")
            },
            Mutation("an empty nc", "RFC 9110 §11.6.2", faults: .malformedField, .missingParameter, says: ["nc"]) {
                $0.answer.setting("nc", "")
            },
        ]

    /// A token where a string belongs, or the reverse (RFC 7616 §3.4 names which).
    static let quoting: [Mutation] =
        ["username", "realm", "cnonce", "response", "opaque"].map { name in
            Mutation("\(name) without quotes", "RFC 7616 §3.4", faults: .wrongQuoting, says: [name, "quote"]) {
                $0.answer.unquoting(name)
            }
        }
        + ["algorithm", "qop", "nc"].map { name in
            Mutation("\(name) in quotes", "RFC 7616 §3.4", faults: .wrongQuoting, says: [name, "quote"]) {
                $0.answer.quoting(name)
            }
        } + [
            Mutation(
                "uri without quotes", "RFC 9110 §11.6.2", faults: .malformedField, .missingParameter, says: ["uri"]
            ) {
                $0.answer.unquoting("uri")
            },
            Mutation(
                "a username that never ends", "RFC 9110 §11.6.2", faults: .malformedField, .missingParameter,
                .missingQop, says: ["\"user", "never ends"]
            ) {
                $0.answer.changing { $0.verbatim = "realm=\"lab\", username=\"user" }
            },
        ]

    /// The count of requests with a nonce.
    static let counts: [Mutation] = [
        Mutation(
            "nc of 7 digits", "RFC 7616 §3.4", faults: .malformedNonceCount, says: ["\"0000001\"", "7 digits", "eight"]
        ) {
            $0.changing { $0.nonceCount = "0000001" }.answer
        },
        Mutation(
            "nc of 9 digits", "RFC 7616 §3.4", faults: .malformedNonceCount,
            says: ["\"000000001\"", "9 digits", "eight"]
        ) {
            $0.changing { $0.nonceCount = "000000001" }.answer
        },
        Mutation("nc in upper case", "RFC 7616 §3.4", faults: .malformedNonceCount, says: ["\"0000000A\""]) {
            $0.changing { $0.nonceCount = "0000000A" }.answer
        },
        Mutation("nc that is no number", "RFC 7616 §3.4", faults: .malformedNonceCount, says: ["\"zzzzzzzz\""]) {
            $0.changing { $0.nonceCount = "zzzzzzzz" }.answer
        },
        Mutation("nc of 0", "RFC 7616 §3.4", faults: .malformedNonceCount, says: ["00000000", "00000001"]) {
            $0.changing { $0.nonceCount = "00000000" }.answer
        },
        Mutation("nc seen before", "RFC 7616 §3.4", before: 2, faults: .replayedNonceCount, says: ["00000002"]) {
            $0.changing { $0.nonceCount = "00000002" }.answer
        },
        Mutation(
            "the whole answer of before", "RFC 7616 §3.4", before: 1, faults: .replayedNonceCount, says: ["00000001"]
        ) {
            $0.changing { $0.nonceCount = "00000001" }.answer
        },
        Mutation(
            "a gap where none may be", "RFC 7616 §3.4", to: .gapless, before: 1, faults: .skippedNonceCount,
            says: ["00000002", "00000005"]
        ) { $0.changing { $0.nonceCount = "00000005" }.answer },
        Mutation(
            "the second request of a session with a new cnonce", "RFC 7616 §3.4.2", to: .md5Session, before: 1,
            faults: .changedClientNonce, says: ["cnonce", "first request", "<sent response>"]
        ) { $0.changing { $0.clientNonce = "ffff" }.answer },
        Mutation(
            "nc written 00000001 and counted as 2", "RFC 7616 §3.4.1", faults: .wrongResponse,
            says: ["<response>", "<sent response>"]
        ) {
            $0.answer { $0.nonceCount = "00000002" }
        },
    ]
}

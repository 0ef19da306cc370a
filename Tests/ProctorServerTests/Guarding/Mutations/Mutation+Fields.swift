import ProctorHTTP

@testable import ProctorJournal

extension Mutation {
    /// The field as a whole.
    static let fields: [Mutation] = [
        Mutation("a token in place of the parameters", "RFC 7616 §3.4", .missingParameter, says: ["username"]) {
            $0.answer.changing { $0.verbatim = "dXNlcjpwYXNz" }
        },
        Mutation("the scheme and nothing", "RFC 7616 §3.4", .missingParameter) {
            $0.answer.changing { $0.verbatim = "" }
        },
        Mutation("parameters without commas", "RFC 9110 §11.6.2", .malformedField) {
            $0.answer.changing { $0.joint = " " }
        },
        Mutation("Basic where only Digest is offered", "RFC 9110 §11.6.2", .wrongScheme, says: ["\"Basic\"", "Digest"])
        {
            $0.answer.changing {
                $0.scheme = "Basic"
                $0.verbatim = "dXNlcjpwYXNz"
            }
        },
        Mutation("a scheme that nobody knows", "RFC 9110 §11.6.2", .wrongScheme, says: ["Digestive", "Digest"]) {
            $0.answer.changing { $0.scheme = "Digestive" }
        },
        Mutation("two fields", "RFC 9110 §5.3", .severalFields, says: ["2 "]) { material in
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

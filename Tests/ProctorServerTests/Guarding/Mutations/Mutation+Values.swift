import ProctorHTTP

@testable import ProctorJournal

extension Mutation {
    /// A parameter is right in its form and wrong in what it says.
    static let values: [Mutation] = [
        Mutation("a user that nobody knows", "RFC 7616 §3.4", .unknownUser, says: ["\"nobody\""]) {
            $0.changing { $0.user = "nobody" }.answer
        },
        Mutation("another realm", "RFC 7616 §3.4", .wrongRealm, says: ["\"lab\"", "\"Lab\""]) {
            $0.changing { $0.realm = "Lab" }.answer
        },
        Mutation("a nonce that was made up", "RFC 7616 §3.4", .unknownNonce, says: ["\"0123456789abcdef\""]) {
            $0.changing { $0.nonce = "0123456789abcdef" }.answer
        },
        Mutation("a nonce of another guard", "RFC 7616 §3.4", .unknownNonce, says: ["<sent nonce>", "never given"]) {
            material in material.changing { $0.nonce = material.foreignNonce }.answer
        },
        Mutation(
            "a nonce of another realm", "RFC 7616 §3.4", to: .changingRealm, .nonceOfAnotherRealm,
            says: ["<nonce>", "\"lab\""]
        ) { $0.changing { $0.realm = "attic" }.answer },
        Mutation(
            "a nonce that is used up", "RFC 7616 §3.3", to: .singleUse, before: 1, outcome: .stale, .staleNonce,
            says: ["nonce"]
        ) { $0.answer },
        Mutation(
            "a nonce that is used up, and a wrong password", "RFC 7616 §3.3", to: .singleUse, before: 1,
            .wrongResponse, .staleNonce
        ) { $0.answer { $0.password = "guess" } },
        Mutation("another opaque", "RFC 7616 §3.4", .wrongOpaque, says: ["\"x\"", "<opaque>"]) {
            $0.changing { $0.opaque = "x" }.answer
        },
        Mutation("another algorithm", "RFC 7616 §3.4", .wrongAlgorithm, says: ["SHA-256", "MD5"]) {
            $0.changing { $0.algorithm = "SHA-256" }.answer
        },
        Mutation("the session form of the algorithm", "RFC 7616 §3.4", .wrongAlgorithm, says: ["MD5-sess", "MD5"]) {
            $0.changing { $0.algorithm = "MD5-sess" }.answer
        },
        Mutation("an algorithm that nobody knows", "RFC 7616 §3.4", .wrongAlgorithm, says: ["SHA-1", "MD5"]) {
            $0.answer.setting("algorithm", "SHA-1")
        },
        Mutation(
            "the nonce of the other algorithm", "RFC 7616 §3.4", to: .several, .nonceOfAnotherAlgorithm,
            says: ["<nonce>", "SHA-256"]
        ) { $0.changing { $0.algorithm = "MD5" }.answer },
        Mutation("auth-int where only auth is offered", "RFC 7616 §3.4", .wrongQop, says: ["auth-int", "auth"]) {
            $0.changing { $0.quality = "auth-int" }.answer
        },
        Mutation("auth where only auth-int is offered", "RFC 7616 §3.4", to: .integrity, .wrongQop, says: ["auth-int"])
        { $0.changing { $0.quality = "auth" }.answer },
        Mutation("a qop that nobody knows", "RFC 7616 §3.4", .wrongQop, says: ["auth-conf", "auth"]) {
            $0.changing { $0.quality = "auth-conf" }.answer
        },
        Mutation(
            "the list of qop in place of one", "RFC 7616 §3.4", to: .both, .wrongQuoting, .wrongQop,
            says: ["auth,auth-int"]
        ) {
            $0.answer.setting("qop", quoted: "auth,auth-int")
        },
        Mutation("a qop where none is offered", "RFC 2617 §3.2.2", to: .old, .unwantedParameter, says: ["qop"]) {
            $0.changing { $0.quality = "auth" }.answer
        },
        Mutation("only the path of the target", "RFC 7616 §3.4", .wrongURI, says: ["/a%20b/c\"", "<uri>"]) {
            $0.changing { $0.target = "/a%20b/c" }.answer
        },
        Mutation("the absolute form of an origin's target", "RFC 7616 §3.4", .wrongURI, says: ["http://a", "absolute"])
        { $0.changing { $0.target = "http://a\($0.target)" }.answer },
        Mutation(
            "the origin form of an absolute target", "RFC 7616 §3.4", .wrongURI, says: ["\"/b\"", "absolute form"],
            target: "http://a/b"
        ) { $0.changing { $0.target = "/b" }.answer },
        Mutation("the target with its escapes undone", "RFC 7616 §3.4", .wrongURI, says: ["/a b/c?d=e/f&g=1", "<uri>"])
        { $0.changing { $0.target = "/a b/c?d=e/f&g=1" }.answer },
        Mutation("escapes in lower case", "RFC 7616 §3.4", .wrongURI, says: ["%2f", "%2F"]) {
            $0.changing { $0.target = "/a%20b/c?d=e%2ff&g=1" }.answer
        },
        Mutation("another target", "RFC 7616 §3.4", .wrongURI, says: ["\"/other\"", "<uri>"]) {
            $0.changing { $0.target = "/other" }.answer
        },
        Mutation("userhash=true and a plain name", "RFC 7616 §3.4.4", to: .userhash, .wrongUserhash, says: ["userhash"])
        { $0.answer.setting("userhash", "true") },
        Mutation("userhash=perhaps", "RFC 7616 §3.4", to: .userhash, .wrongUserhash, says: ["perhaps", "true"]) {
            $0.answer.setting("userhash", "perhaps")
        },
        Mutation(
            "a hashed name that doesn't say so", "RFC 7616 §3.4.4", to: .userhash, .wrongUserhash,
            says: ["userhash=true"]
        ) { material in
            material.answer.setting("username", quoted: material.hash("user:lab"))
        },
        Mutation(
            "username* without its charset", "RFC 8187 §3.2", to: .utf8, .malformedExtendedUser,
            says: ["\"user\"", "UTF-8''"]
        ) { $0.answer.without("username").setting("username*", "user") },
        Mutation("username* with half an escape", "RFC 8187 §3.2", to: .utf8, .malformedExtendedUser, says: ["%c"]) {
            $0.answer.without("username").setting("username*", "UTF-8''us%c")
        },
        Mutation("username and username*", "RFC 7616 §3.4", to: .utf8, .unwantedParameter, says: ["username*"]) {
            $0.answer.setting("username*", "UTF-8''user")
        },
        Mutation(
            "username* with a hashed name", "RFC 7616 §3.4", to: .userhash, .malformedExtendedUser, says: ["username*"]
        ) { $0.answer.without("username").setting("username*", "UTF-8''user").setting("userhash", "true") },
    ]
}

import ProctorEvents
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// What a case needs of a client, as its program and its expressions say.
struct AbilityNeedsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let body: String
        let needs: Set<Ability>
        var testDescription: String { body }
    }

    static let rows = [
        Row(body: "client: { url: /a }", needs: []),
        Row(body: "client: { url: /a, method: PURGE }", needs: [.methods]),
        Row(
            body: "client: { url: /a }\nfacts: { expectedLength: 6, suggestedName: a.txt, textEncodingName: null }",
            needs: [.expectedLength, .suggestedName, .textEncodingName]),
        Row(body: "client: { url: /a }\nfacts: { mime: text/plain, body: a }", needs: []),
        Row(body: "client: { url: /a, cancelAt: response }", needs: [.cancel]),
        Row(body: "client: { url: /a, timeout: 1s }", needs: [.timeLimitSilence]),
        Row(body: "client: { url: /a, method: POST, body: x, bodyForm: stream }", needs: [.uploadStream]),
        Row(body: "client: { url: { verbatim: \"\" } }", needs: [.verbatimURLs]),
        Row(body: "client: { url: /a, headers: [{ X: a }, { x: b }] }", needs: [.repeatedFields]),
        // The scenario has a redirect, so that following has an effect.
        Row(body: "client: { url: /moved }\ntask: redirect(302) response(200) data* complete(ok)", needs: [.redirects]),
        Row(
            body: "client: { url: /moved, onRedirect: refuse }\ntask: redirect(302) response(302) data* complete(ok)",
            needs: [.redirectRefuse]),
        // No client reaches the second answer.
        Row(
            body: "client: { url: /moved, onRedirect: [follow, cancel] }\n"
                + "task: redirect(302) response(200) data* complete(ok)", needs: [.redirects]),
        Row(
            body: "client: { url: /moved, onRedirect: [follow, cancel] }\n"
                + "task: redirect(302){2} complete(cancelled)",
            needs: [.redirects, .redirectCancel, .redirectPerAnswer]),
        Row(
            body: "client: { url: /a, onChallenge: [{ use: \"user:pass\" }, cancel] }\n"
                + "task: challenge(basic) response(200) data* complete(ok)", needs: [.basic]),
        Row(
            body: "client: { url: /a, onChallenge: [{ use: \"user:no\" }, cancel] }\n"
                + "task: challenge(digest){2} complete(cancelled)",
            needs: [.digest, .challengeCancel, .challengesInTurn]),
        Row(body: "client: { url: /a, onChallenge: never }\ntask: challenge(basic)", needs: [.callbacks]),
        Row(body: "client: { url: /a }\ncookies: conforming", needs: [.cookieJar]),
        Row(body: "client: { url: /a, session: { cookies: never } }\ncookies: conforming", needs: []),
        Row(body: "client: { url: \"/a#part\" }\nfacts: { url: \"{{base}}/a#part\" }", needs: [.fragment]),
        Row(body: "client: { url: /a }\nneeds: [bearer, suspend]", needs: [.bearer, .suspend]),
        Row(body: "client: { url: /a }\nneeds: cache", needs: [.cache]),
    ]

    private static func item(_ body: String) throws -> Case {
        let scenario = try load(
            "summary: s\nexchanges:\n  - { request: GET /moved, reply: { status: 302, headers: { Location: \"{{base}}/a\" } } }\n"
                + "  - { request: \"* /a\", reply: { status: 200 } }\ncases:\n  c:\n"
                + body.split(separator: "\n").map { "    \($0)\n" }.joined())
        return try #require(scenario.cases.first)
    }

    @Test(arguments: rows) func `what the program takes is what the case needs`(row: Row) throws {
        var needs = try Self.item(row.body).needs
        // Every case here follows redirects, if it says nothing else and the scenario has one.
        if !row.body.contains("moved") { needs.remove(.redirects) }
        #expect(needs == row.needs)
    }

    @Test func `applies: names standards, and nothing else`() throws {
        #expect(try Self.item("client: { url: /a }\napplies: [fetch, foundation]").applies == [.fetch, .foundation])
        let text =
            "summary: s\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\ncases:\n  c:\n    client: { url: /a }\n"
        #expect(
            messages(text + "    applies: digest\n") == [
                "6:14 there is no ability \"digest\" here; permitted: fetch, foundation"
            ])
        #expect(
            messages(text + "    needs: [cookie-jr]\n") == [
                "6:13 there is no ability \"cookie-jr\" here; did you mean \"cookie-jar\"?"
            ])
    }

    @Test func `how many questions a right client meets stands in the assignment`() throws {
        let asked = try Self.item(
            "client: { url: /moved, onChallenge: [{ use: \"user:pass\" }, cancel] }\n"
                + "task: redirect(302){1,3} challenge(basic) response(200) data* complete(ok)")
        #expect(asked.redirectCount(ofStep: 0) == 3)
        #expect(asked.challengeCount(ofStep: 0) == 1)
        let open = try Self.item("client: { url: /moved }\ntask: redirect* response(200) data* complete(ok)")
        #expect(open.redirectCount(ofStep: 0) == nil)
        #expect(try Self.item("client: { url: /moved }").challengeCount(ofStep: 0) == nil)
    }
}

/// Whether a case is decided by its requests, whatever the client makes of the replies.
struct RequestSubjectTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let reply: String
        let body: String
        let isWhole: Bool
        var testDescription: String { "\(body) with \(reply)" }
    }

    static let rows = [
        Row(reply: "{ status: 200 }", body: "wire: request(GET /a)", isWhole: true),
        Row(
            reply: "{ status: 204 }", body: "facts: { \"wire[0].headers.X\": null, \"wire[0].method\": GET }",
            isWhole: true),
        // Something that a client has to deal with.
        Row(
            reply: "{ status: 302, headers: { Location: \"{{base}}/b\" } }", body: "wire: request(GET /a)",
            isWhole: false),
        Row(reply: "{ status: 401 }", body: "wire: request(GET /a)", isWhole: false),
        Row(reply: "{ status: 200, body: [\"ok\", { do: reset }] }", body: "wire: request(GET /a)", isWhole: false),
        Row(reply: "{ status: 200, body: ok, framing: chunked }", body: "wire: request(GET /a)", isWhole: false),
        Row(reply: "{ raw: \"HTTP/1.1 200 OK\\r\\n\\r\\n\" }", body: "wire: request(GET /a)", isWhole: false),
        // A second request can only follow from the reply.
        Row(
            reply: "{ status: 302, headers: { Location: \"{{base}}/b\" } }",
            body: "wire: request(GET /a) request(GET /b)",
            isWhole: true),
        Row(reply: "{ status: 401 }", body: "facts: { \"wire[1].target\": /a }", isWhole: true),
        // A missing request proves nothing.
        Row(reply: "{ status: 200 }", body: "wire: request(GET /a)?", isWhole: false),
        Row(reply: "{ status: 200 }", body: "facts: { wire.count: 0 }", isWhole: false),
        // More is asked.
        Row(reply: "{ status: 200 }", body: "wire: request(GET /a)\nfacts: { status: 200 }", isWhole: false),
        Row(reply: "{ status: 200 }", body: "wire: request(GET /a)\ntask: response(200) complete(ok)", isWhole: false),
        Row(reply: "{ status: 200 }", body: "wire: request(GET /a)\nfacts: { connections: 1 }", isWhole: false),
    ]

    @Test(arguments: rows) func `only what needs no reply is about requests alone`(row: Row) throws {
        let scenario = try load(
            "summary: s\nexchanges:\n  - request: GET /a\n    reply: \(row.reply)\n  - request: GET /b\n    reply: { status: 200 }\n"
                + "cases:\n  c:\n    client: { url: /a }\n"
                + row.body.split(separator: "\n").map { "    \($0)\n" }.joined())
        let item = try #require(scenario.cases.first)
        #expect(item.isAboutRequestsAlone == row.isWhole)
        #expect(item.claims.contains { $0.saying == .end(step: 0) } == !row.isWhole)
    }

    @Test func `a client that is cancelled has more than a request to it`() throws {
        let scenario = try load(
            "summary: s\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\ncases:\n  c:\n"
                + "    client: { url: /a, cancelAt: response }\n    wire: request(GET /a)\n")
        #expect(try #require(scenario.cases.first).subjectText == "request, reply")
    }
}

/// What a must about requests may rest on.
struct SourceCheckTests {
    private func complaints(spec: String, more: String = "", asks: String = "wire: request(GET /a)") -> [String] {
        messages(
            "summary: s\nspec: \(spec)\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\ncases:\n  c:\n"
                + "    client: { url: /a }\n    \(asks)\n" + more)
    }

    @Test func `callback rules alone make no must about requests`() {
        #expect(
            complaints(spec: "[callback rule R4, callback rules R5 and R6]") == [
                "5:3 this must asks for requests, and its sources do not bind every client: callback rule R4; "
                    + "callback rules R5 and R6; cite a section that says MUST, or write applies: foundation, or another kind"
            ])
        #expect(complaints(spec: "\"Fetch, HTTP-redirect fetch\"").count == 1)
    }

    @Test func `a section, another kind, a declared standard or callbacks alone are no reason to complain`() {
        #expect(complaints(spec: "[callback rule R4, RFC 9110 §15.4]").isEmpty)
        #expect(complaints(spec: "callback rule R4", more: "    kind: should\n").isEmpty)
        #expect(complaints(spec: "callback rule R4", more: "    applies: foundation\n").isEmpty)
        #expect(complaints(spec: "callback rule R4", more: "    spec: RFC 9110 §15.4\n").isEmpty)
        #expect(complaints(spec: "callback rule R4", asks: "task: response(200) complete(ok)").isEmpty)
        #expect(complaints(spec: "[]").isEmpty)
    }
}

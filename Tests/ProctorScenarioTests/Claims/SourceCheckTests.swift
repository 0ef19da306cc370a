import Testing

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

import Testing

/// How many mistakes of one file are told; Tests/Data/diagnostics has the mistakes.
struct ErrorCountTests {
    @Test func `a file with fifty mistakes reports fifty`() {
        var yaml = "summary: s\nexchanges:\n"
        for index in 0..<50 { yaml += "  - { request: GET /\(index), reply: { status: 200, colour: red } }\n" }
        let found = messages(yaml)
        #expect(found.count == 50)
        for (index, message) in found.enumerated() {
            #expect(message.hasPrefix("\(index + 3):\(index < 10 ? 46 : 47) unknown key \"colour\" in a reply"))
        }
    }

    @Test func `reading stops after a hundred mistakes, and says so`() {
        var yaml = "summary: s\nexchanges: [{ request: GET /a, reply: { status: 200, headers:\n"
        yaml += "[" + String(repeating: "a,", count: 1005) + "] } }]\n"
        let found = messages(yaml)
        #expect(found.count == 101)
        #expect(
            found.last
                == "reading stops after 100 mistakes, so the rest of the file was not looked at; mend these first")
    }
}

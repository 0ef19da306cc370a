import ProctorBase
import ProctorEvents
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Facts that only the client can tell.
struct ClientFactTests {
    struct Row: CustomTestStringConvertible {
        let trace: String
        let name: String
        let expected: Fact.Expectation
        /// nil when it holds, else what the finding says behind the name.
        let complaint: String?

        init(_ trace: String, fact name: String, is expected: Fact.Expectation, fails complaint: String? = nil) {
            self.trace = trace
            self.name = name
            self.expected = expected
            self.complaint = complaint
        }

        var testDescription: String { "\(trace): \(name) \(expected)" }
    }

    static let result =
        "result{status=200,url=http://h/b,mime=text/plain,suggestedName=b.txt,expectedLength=3,bytes=3,body=abc}"
    static let shown = "result{status=200,statusText=no␣error,textEncodingName=utf-8,header=x-NOTE:␣a;␣b}"
    static let stores =
        "result{storedCookies=a=1;␣Domain=h;␣Path=/x⏎b=2=3;␣Domain=.h;␣Path=/;␣HttpOnly;␣Session,"
        + "cachedStatus=200,cachedBody=c,cachedStorage=memory,cachedNotes=n:␣t␣u}"
    static let redirected =
        "redirect(302){url=http://h/a,header=Location:␣/b} response(200) complete(ok) result{status=200}"
    static let ended = "resume response(200){url=http://h/b,mime=text/plain} data{n=4} data{n=1} complete(timedOut)"

    static let rows: [Row] = [
        Row(result, fact: "status", is: "200"),
        Row(result, fact: "status", is: "404", fails: "wanted 404, got 200"),
        Row(result, fact: "status", is: .range(minimum: 200, maximum: 299)),
        Row(result, fact: "url", is: "http://h/b"),
        Row(result, fact: "url", is: .absent, fails: #"wanted nothing, got "http://h/b""#),
        Row(result, fact: "mime", is: "text/plain"),
        Row(result, fact: "suggestedName", is: "b.txt"),
        Row(result, fact: "expectedLength", is: "3"), Row(result, fact: "body", is: "abc"),
        Row(result, fact: "body", is: "abd", fails: #"wanted "abd", got "abc""#),
        Row(result, fact: "body.length", is: "3"),
        Row(result, fact: "body.length", is: .range(minimum: 4, maximum: nil), fails: "wanted at least 4, got 3"),
        Row(result, fact: "body.length", is: .same(.client(step: 0, .expectedLength))),
        Row(
            result, fact: "body.length", is: .same(.client(step: 0, .status)),
            fails: "wanted the same as status, which is 200, got 3"), Row(result, fact: "error", is: .absent),
        Row(result, fact: "error", is: "timedOut", fails: #"wanted "timedOut", got nothing"#),
        Row("result{error=timedOut}", fact: "error", is: "timedOut"),
        Row("result{error=timedOut}", fact: "error", is: "error"),
        Row("result{error=timedOut}", fact: "error", is: .absent, fails: #"wanted nothing, got "timedOut""#),
        Row("result{error=ok}", fact: "error", is: .absent), Row("result{error=timedOut}", fact: "status", is: .absent),
        Row("result{bodyBase64=/wA=,bytes=2}", fact: "body.length", is: "2"),
        Row("result{bodyBase64=YQ==,bytes=1}", fact: "body", is: "a"),
        Row("result{bytes=0}", fact: "body", is: ""),
        Row(
            "result{bytes=9}", fact: "body", is: "x",
            fails: #"wanted "x", got the client kept none of 9 bytes"#),
        Row(
            "result{bytes=9,body=x}", fact: "body", is: "x",
            fails: #"wanted "x", got the client kept 1 of 9 bytes"#),
        // What the client's look-up gave, by the spelling of the question.
        Row(shown, fact: "header.x-NOTE", is: "a; b"), Row(shown, fact: "header.X-None", is: .absent),
        Row(
            shown, fact: "header.x-NOTE", is: "b", fails: #"wanted "b", got "a; b""#),
        Row(shown, fact: "textEncodingName", is: "utf-8"),
        Row(shown, fact: "statusText", is: "no error"), Row(result, fact: "textEncodingName", is: .absent),
        Row(
            "complete(timedOut){message=too␣late} result{error=timedOut}", fact: "error.message",
            is: "too late"),
        Row(
            "complete(timedOut){message=too␣late} result{error=timedOut}", fact: "error.message.length",
            is: .range(minimum: 1, maximum: 8)),
        Row(redirected, fact: "redirect[0].status", is: "302"),
        Row(redirected, fact: "redirect[0].url", is: "http://h/a"),
        Row(redirected, fact: "redirect[0].header.Location", is: "/b"),
        Row(redirected, fact: "redirect[1].status", is: .absent),
        // What stores had after the step.
        Row(stores, fact: "stored.cookies", is: ["a", "b"]),
        Row(stores, fact: "stored.cookies.b", is: "2=3"), Row(stores, fact: "stored.cookies.c", is: .absent),
        Row(stores, fact: "stored.path.a", is: "/x"),
        Row(stores, fact: "stored.domain.b", is: ".h"),
        Row(stores, fact: "stored.secure.a", is: "false"),
        Row(stores, fact: "stored.http-only.b", is: "true"),
        Row(stores, fact: "stored.session-only.a", is: "true", fails: #"wanted "true", got "false""#),
        Row(stores, fact: "cached.status", is: "200"), Row(stores, fact: "cached.body", is: "c"),
        Row(stores, fact: "cached.storage", is: "memory"),
        Row(stores, fact: "cached.notes.n", is: "t u"), Row(stores, fact: "cached.notes.m", is: .absent),
        Row("result{cachedStatus=none}", fact: "cached.body", is: .absent),
        Row("result{storedCookies=}", fact: "stored.cookies", is: .absent),
        Row("willCache{storage=allowed} result{status=200}", fact: "willCache.storage", is: "allowed"),
        Row("response(200) result{status=200}", fact: "willCache.storage", is: .absent),
        Row("metrics{transactions=1,protocol=h2} result{status=200}", fact: "metrics.protocol", is: "h2"),
        // What is left of a download; an adapter need not know it.
        Row("result{file=a-1.txt,fileExists=true,files=2}", fact: "file", is: "a-1.txt"),
        Row("result{file=a-1.txt,fileExists=true,files=2}", fact: "fileExists", is: "true"),
        Row("result{files=2}", fact: "files", is: "1", fails: "wanted 1, got 2"),
        Row(
            "result{resumeData=false}", fact: "resumeData", is: "true", fails: #"wanted "true", got "false""#),
        Row("result{temporaryFileExists=true}", fact: "temporaryFileExists", is: "true"),
        // Without a result: the events that ended the step.
        Row(ended, fact: "status", is: "200"), Row(ended, fact: "url", is: "http://h/b"),
        Row(ended, fact: "mime", is: "text/html", fails: #"wanted "text/html", got "text/plain""#),
        Row(ended, fact: "body.length", is: "5"), Row(ended, fact: "error", is: "timedOut"),
        Row("resume handler(ok){status=204,body=,bytes=0}", fact: "status", is: "204"),
        Row("resume handler(ok){status=204}", fact: "error", is: .absent),
        Row("resume awaited(cancelled)", fact: "error", is: "cancelled"),
        Row(
            "resume response(200) data{n=4} response(200) data{n=1} complete(ok)", fact: "body.length",
            is: "1"),
    ]

    @Test(arguments: rows) func `a fact is measured from what the client tells`(row: Row) throws {
        let item = try makeCase(kind: .must, facts: [(row.name, row.expected)])
        let events = try TraceScript.events(row.trace)
        let (findings, undecided) = try WireGrader(item).findings(
            in: nil, client: ClientRecord(events), within: WorkBudget())
        if let complaint = row.complaint, complaint.contains("the client kept") {
            #expect(undecided.map(\.name.text) == [row.name] && findings.isEmpty)
            return
        }
        #expect(undecided.isEmpty)
        #expect(findings.map(\.sentence) == (row.complaint.map { ["\(row.name): \($0)"] } ?? []))
    }

    @Test(arguments: [
        ("resume", "status"), ("resume complete(ok)", "url"), ("resume response(200) data complete(ok)", "body.length"),
        ("resume response(200) data{n=1} complete(ok)", "body"), ("result{status=200}", "header.X-Note"),
        ("result{status=200}", "stored.cookies"),
        ("result{status=200}", "cached.status"),
        ("result{status=200}", "statusText"), ("result{status=200}", "redirect[0].header.X-Note"),
        ("[1]result{status=200}", "status"), ("", "error"),
        ("result{status=200}", "files"), ("resume fileReady{file=/tmp/a} complete(ok)", "file"),
    ]) func `a fact that the trace does not state is undecided`(trace: String, name: String) throws {
        let item = try makeCase(facts: [(name, "1")])
        let (findings, undecided) = try WireGrader(item).findings(
            in: nil, client: ClientRecord(try TraceScript.events(trace)), within: WorkBudget())
        #expect(findings.isEmpty)
        #expect(undecided.map(\.name.text) == [name])
    }

    @Test func `a fact that the client says it cannot report is undecided`() throws {
        let item = try makeCase(facts: [("mime", "text/plain"), ("status", "200")])
        let record = ClientRecord(try TraceScript.events("result{status=200}"), reportedFacts: [.status])
        let (findings, undecided) = try WireGrader(item).findings(
            in: nil, client: record, within: WorkBudget())
        #expect(findings.isEmpty)
        #expect(undecided.map(\.name) == [.client(step: 0, .mime)])
    }

    @Test func `each step has its own facts, and a fact may be the same as one of the wire`() throws {
        let item = try makeCase(
            tasks: [makeProgram(), makeProgram()],
            facts: [
                ("step[1].status", "204"), ("step[1].body", .same(.wire(index: 0, .body))),
                ("status", "200"),
            ])
        var script = JournalScript.opened()
        try script.request("POST /a", body: "abc")
        let record = ClientRecord(try TraceScript.events("result{status=200} [1]result{status=204,body=abc}"))
        let (findings, undecided) = try WireGrader(item).findings(
            in: WireRecord(script.entries), client: record, within: WorkBudget())
        #expect(findings.isEmpty && undecided.isEmpty)
        let other = ClientRecord(try TraceScript.events("result{status=200} [1]result{status=204,body=abd}"))
        #expect(
            try WireGrader(item).findings(
                in: WireRecord(script.entries), client: other, within: WorkBudget()
            ).findings.map(\.sentence) == [
                #"step[1].body: wanted the same as wire[0].body, which is "abc", got "abd""#
            ])
    }

    @Test func `late-bound text is filled in`() throws {
        let template = Template(parts: [.base, .literal(Array("/b".utf8))])
        let item = try makeCase(facts: [("url", .text(template))])
        let context = TemplateContext(base: Array("http://h".utf8), authorities: [])
        let evidence = CaseEvidence(events: try TraceScript.events(Self.result))
        #expect(CaseGrader(item, scenario: "a", context: context).grade(evidence).outcome == .pass)
        #expect(CaseGrader(item, scenario: "a").grade(evidence).undecidedFacts == [.client(step: 0, .url)])
    }
}

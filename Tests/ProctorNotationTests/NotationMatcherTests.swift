import Testing

@testable import ProctorEvents
@testable import ProctorNotation

/// What each operator accepts, and what it does not.
struct NotationMatcherTests {
    struct Row: CustomTestStringConvertible {
        let notation: String
        let accepted: [String]
        let refused: [String]

        init(_ notation: String, accepts accepted: [String], refuses refused: [String]) {
            self.notation = notation
            self.accepted = accepted
            self.refused = refused
        }

        var testDescription: String { notation }
    }

    static let rows: [Row] = [
        // Sequence.
        Row(
            "response data complete", accepts: ["response data complete"],
            refuses: [
                "", "response", "response data", "response complete data", "response data data complete",
                "response data complete complete", "data response complete",
            ]),
        // Counts.
        Row(
            "response? complete", accepts: ["complete", "response complete"],
            refuses: ["", "response", "response×2 complete"]),
        Row(
            "data* complete", accepts: ["complete", "data complete", "data×50 complete"],
            refuses: ["data", "complete data"]),
        Row("data+", accepts: ["data", "data×9"], refuses: ["", "response"]),
        Row("data{3}", accepts: ["data×3"], refuses: ["", "data×2", "data×4"]),
        Row("data{2,4}", accepts: ["data×2", "data×3", "data×4"], refuses: ["data", "data×5"]),
        Row("data{2,}", accepts: ["data×2", "data×77"], refuses: ["", "data"]),
        Row("data{0,2}", accepts: ["", "data", "data×2"], refuses: ["data×3"]),
        Row("data { 1 , 2 }", accepts: ["data", "data×2"], refuses: ["", "data×3"]),
        Row(
            "(response data*){2}", accepts: ["response response", "response data response data×3"],
            refuses: ["response data", "response×3", "data response response"]),
        Row("(data?){3}", accepts: ["", "data", "data×3"], refuses: ["data×4"]),
        Row("(data*){2,3} complete", accepts: ["complete", "data×9 complete"], refuses: ["data"]),
        Row("(data{2}){3}", accepts: ["data×6"], refuses: ["data×4", "data×5", "data×7", "data×8"]),
        Row("(data{2,3}){2}", accepts: ["data×4", "data×5", "data×6"], refuses: ["data×3", "data×7"]),
        Row("data{0,200} data{0,200}", accepts: ["", "data×199", "data×400"], refuses: ["data×401"]),
        Row("data{5} data{7}", accepts: ["data×12"], refuses: ["data×11", "data×13"]),
        // Counters of one body that came to different numbers: merged only where no number between them is let in.
        Row("data{2} | data{4}", accepts: ["data×2", "data×4"], refuses: ["data", "data×3", "data×5"]),
        Row("data{2} | data{3,4}", accepts: ["data×2", "data×3", "data×4"], refuses: ["data", "data×5"]),
        Row("data{1,2} | data{4,}", accepts: ["data", "data×2", "data×4", "data×9"], refuses: ["", "data×3"]),
        Row(
            "(data{2} | data{4}) & (metrics{2} | metrics{4})",
            accepts: ["data×2 metrics×2", "metrics data×4 metrics×3", "data metrics×2 data"],
            refuses: ["data×3 metrics×2", "data×2 metrics×3", "data×4 metrics", "data×3 metrics×3"]),
        Row(
            "(data{2} metrics{2} | data{3} metrics{4})", accepts: ["data×2 metrics×2", "data×3 metrics×4"],
            refuses: ["data×2 metrics×4", "data×3 metrics×2", "data×2 metrics×3"]),
        // Alternatives.
        Row("response | complete", accepts: ["response", "complete"], refuses: ["", "response complete", "data"]),
        Row(
            "response data | complete", accepts: ["response data", "complete"],
            refuses: ["response complete", "response"]),
        Row(
            "response (data | fileReady)+", accepts: ["response data", "response fileReady data"], refuses: ["response"]
        ),
        // Interleaving.
        Row(
            "(response data) & metrics",
            accepts: ["response data metrics", "response metrics data", "metrics response data"],
            refuses: ["response data", "metrics data response", "response metrics metrics data", ""]),
        Row(
            "response data & metrics complete",
            accepts: ["response metrics data complete", "metrics complete response data"],
            refuses: ["response complete metrics data", "data response metrics complete"]),
        Row("(data & metrics){2}", accepts: ["data metrics metrics data"], refuses: ["data data metrics metrics"]),
        Row("(data & data) complete", accepts: ["data×2 complete"], refuses: ["data complete", "data×3 complete"]),
        Row(
            "data* & metrics? & fileReady", accepts: ["fileReady", "data metrics data fileReady data"],
            refuses: ["metrics metrics fileReady", "data"]),
        // Any events.
        Row("...", accepts: ["", "data", "complete response x"], refuses: []),
        Row(
            "... complete", accepts: ["complete", "data×3 response complete", "complete complete"],
            refuses: ["", "complete data"]),
        Row("response ... response", accepts: ["response response", "response data response"], refuses: ["response"]),
        Row("... & data", accepts: ["data", "response data complete"], refuses: ["", "response"]),
        // Arguments.
        Row("response", accepts: ["response", "response(200)"], refuses: ["redirect(302)"]),
        Row("response(200)", accepts: ["response(200)"], refuses: ["response", "response(201)", "data(200)"]),
        Row("response(200|404)", accepts: ["response(200)", "response(404)"], refuses: ["response(500)"]),
        Row("response( 200 | 404 )", accepts: ["response(404)"], refuses: ["response(500)"]),
        Row(
            "response(4*)", accepts: ["response(400)", "response(451)"],
            refuses: ["response(200)", "response", "response(5)"]),
        Row("response(20*|4*)", accepts: ["response(206)", "response(404)"], refuses: ["response(301)"]),
        Row(
            "complete(error)", accepts: ["complete(cancelled)", "complete(error)"],
            refuses: ["complete(ok)", "complete"]),
        Row("complete(\"error\")", accepts: ["complete(error)"], refuses: ["complete(cancelled)"]),
        Row(
            "complete(ok|cancelled)", accepts: ["complete(ok)", "complete(cancelled)"], refuses: ["complete(timedOut)"]),
        Row(
            "challenge(\"a|b\"|\"c)\"|\"d*\")", accepts: ["challenge(a|b)", "challenge(c))", "challenge(d*)"],
            refuses: ["challenge(a)", "challenge(dx)"]),
        Row("challenge(\"a*\"*)", accepts: ["challenge(a*)", "challenge(a*b)"], refuses: ["challenge(ab)"]),
        Row("challenge(\"\")", accepts: ["challenge()"], refuses: ["challenge", "challenge(x)"]),
        Row("challenge(\"q\\\"\\\\\")", accepts: ["challenge(q\"\\)"], refuses: ["challenge(q)"]),
        Row(
            "shouldDecode(application/x#1)", accepts: ["shouldDecode(application/x#1)"],
            refuses: ["shouldDecode(application/x)"]),
        // Comments and lines.
        Row(
            "response # the head (once)\n  data+ # | not read\ncomplete", accepts: ["response data complete"],
            refuses: ["response complete"]),
        // The family grammar of data tasks.
        Row(
            """
            created? (delayed | waiting | redirect | challenge | needBodyStream | informational)*
            ( (response data* willCache?)+ metrics? complete
            | metrics? complete(error)
            | (response data*)* response (becameDownload | becameStream) )
            """,
            accepts: [
                "response(200) data×4 complete(ok)",
                "created redirect(302) challenge(basic) response(200) complete(ok)",
                "complete(cancelled)", "response(200) data×2 response(200) data metrics complete(ok)",
                "response(200) data response(200) becameDownload",
            ],
            refuses: [
                "complete(ok)", "response(401) data challenge(basic) response(200) complete(ok)", "data complete(ok)",
                "response(200) data", "response(200) becameDownload complete(ok)",
            ]),
    ]

    @Test(arguments: rows)
    func `an operator accepts what it means and nothing else`(row: Row) throws {
        for events in row.accepted { #expect(try accepts(row.notation, events), "\(events)") }
        for events in row.refused { #expect(try !accepts(row.notation, events), "\(events)") }
    }

    @Test func `a request is compared by method and target`() throws {
        let notation = try Notation(parsing: "request(POST /form) request(GET /a*|\"OPTIONS *\")", lane: .wire)
        let judged = { (second: String) in
            notation.diagnosis(of: [TraceEventSymbol("request", "POST /form"), TraceEventSymbol("request", second)])
                == nil
        }
        #expect(judged("OPTIONS *"))
        #expect(judged("GET /abc?d"))
        #expect(!judged("OPTIONS /"))
        #expect(!judged("POST /form"))
    }

    @Test func `a target may hold a question mark and a number sign`() throws {
        let notation = try Notation(parsing: "request(GET /a?b=1&c#d) # over", lane: .wire)
        #expect(notation.diagnosis(of: [TraceEventSymbol("request", "GET /a?b=1&c#d")]) == nil)
    }

    @Test func `everything after a refused event is refused`() throws {
        var matcher = NotationMatcher(try Notation(parsing: "response data", lane: .task))
        #expect(!take(&matcher, TraceEventSymbol("data")))
        #expect(!take(&matcher, TraceEventSymbol("response")))
        #expect(matcher.refusal == TraceEventSymbol("data"))
        #expect(matcher.eventCount == 1)
        #expect(!matcher.isAccepting)
    }

    @Test func `a hanging client can be told what it is waited for`() throws {
        var matcher = NotationMatcher(
            try Notation(parsing: "response(200) (data | metrics)* complete(ok)", lane: .task))
        #expect(take(&matcher, TraceEventSymbol("response", "200")))
        #expect(matcher.wanted.map(\.description) == ["data", "metrics", "complete(ok)"])
        #expect(matcher.wanted.map(\.offsets) == [[15], [22], [32]])
        #expect(matcher.missing.map(\.description) == ["complete(ok)"])
        #expect(!matcher.isAccepting)
    }

    @Test func `ignored events are taken out unless an expression names them`() throws {
        let judged = { (notation: String, ambient: String?, events: String) in
            try Notation(parsing: notation, lane: .task).diagnosis(
                of: trace(events), ambient: try ambient.map { try Notation(parsing: $0, lane: .task) },
                ignoring: EventVocabulary.ambientNames) == nil
        }
        #expect(try judged("response complete", nil, "created response metrics complete metrics"))
        #expect(try !judged("response metrics complete", nil, "response complete"))
        #expect(try judged("response metrics complete", nil, "created response metrics complete"))
        #expect(try !judged("response complete", "metrics?", "response metrics metrics complete"))
        #expect(try !judged("response complete", nil, "response data complete"))
    }

    @Test func `both sides of an interleaving that ask for one event are warned of`() throws {
        let warnings = { (text: String) in try Notation(parsing: text, lane: .task).warnings }
        let clash = try warnings("response & (data+ | response(200)) & metrics")
        #expect(clash.map(\.offset) == [20])
        #expect(
            clash.first?.sentence
                == "two sides of '&' ask for the same event, response and response(200); which of them took it cannot be told"
        )
        #expect(try warnings("data & (response & data)").map(\.offset) == [19])
        #expect(try warnings("response(4*) & response(404)").count == 1)
        #expect(try warnings("complete(error) & complete(ok)").isEmpty)
        #expect(try warnings("response(200) & response(404)").isEmpty)
        #expect(try warnings("data response & metrics complete data?").count == 1)
        #expect(try warnings("(data data) | data").isEmpty)
    }
}

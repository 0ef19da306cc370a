import ProctorJournal
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct EffectRowTests {
    struct Row: CustomTestStringConvertible, Sendable {
        /// The keys of the effect beside `at`.
        let keys: String
        let journalText: String
        let layer: EffectVerb.Layer
        var ends = EffectEnd.nothing
        /// Whether no effect can follow it.
        var isLast = false
        /// Whether a reply is cut over HTTP/1.1, and on stream 3 of HTTP/2.
        var cuts = (http1: false, stream: false)

        var testDescription: String { keys }

        init(_ keys: String, _ journalText: String, _ layer: EffectVerb.Layer) {
            self.keys = keys
            self.journalText = journalText
            self.layer = layer
        }

        func ending(_ end: EffectEnd, isLast: Bool = true, _ cuts: (http1: Bool, stream: Bool) = (true, true)) -> Row {
            var row = self
            (row.ends, row.isLast, row.cuts) = (end, isLast, cuts)
            return row
        }

        func action() throws -> Effect.Action {
            let scenario = try load(
                """
                summary: s
                origins: { main: { scheme: https, protocols: [h2, http/1.1] } }
                exchanges: [{ request: GET /a, reply: { status: 200, effects: [{ at: head, \(keys) }] } }]
                """)
            return scenario.exchanges[0].replies[0].effects[0].action
        }
    }

    static let rows: [Row] = [
        Row("do: wait 50ms", "wait 0.05 seconds", .time),
        Row("do: wait 1s-2s", "wait 1.0 seconds-2.0 seconds", .time),
        Row("do: close", "close", .connection).ending(.connection),
        Row("do: close, abrupt: true, notify: false", "close abrupt without notify", .connection).ending(.connection),
        Row("do: close, notify: false", "close without notify", .connection).ending(.connection),
        Row("do: reset", "reset", .connection).ending(.connection),
        Row("do: reset, abrupt: true", "reset abrupt", .connection).ending(.connection),
        Row("do: half-close", "half-close", .connection).ending(.connection, isLast: false),
        Row("do: stall", "stall", .time).ending(.reply), Row("do: send ab", "send 2 bytes", .bytes),
        Row("do: { send: { hex: ff } }", "send 1 bytes", .bytes), Row("do: await response", "await response", .time),
        Row("do: { await: response, task: 1 }", "await response", .time),
        Row("do: alert handshake_failure", "alert 40", .tls).ending(.connection),
        Row("do: truncate-record", "truncate-record", .tls).ending(.connection, isLast: false),
        Row("do: bad-mac", "bad-mac", .tls).ending(.connection, isLast: false),
        Row("do: goaway NO_ERROR", "goaway NO_ERROR", .http2),
        Row("do: goaway NO_ERROR last highest", "goaway NO_ERROR", .http2),
        Row("do: goaway NO_ERROR last this", "goaway NO_ERROR last this", .http2),
        Row("do: goaway NO_ERROR last most", "goaway NO_ERROR last most", .http2),
        Row("do: goaway NO_ERROR last before", "goaway NO_ERROR last before", .http2).ending(.stream),
        Row("do: goaway NO_ERROR last 1", "goaway NO_ERROR last 1", .http2)
            .ending(.streams(above: 1), isLast: false, (false, true)),
        Row("do: goaway NO_ERROR last 3", "goaway NO_ERROR last 3", .http2)
            .ending(.streams(above: 3), isLast: false, (false, false)),
        Row("do: rst CANCEL", "rst CANCEL", .http2).ending(.stream), Row("do: ping", "ping", .http2),
        Row("do: window 9 connection", "window 9 connection", .http2), Row("do: window 9", "window 9", .http2),
        Row("do: { frame: { type: PING } }", "frame PING", .http2),
        Row(
            "do: { settings: { enable-push: 0, max-frame-size: 16384 } }",
            "settings enable-push 0, max-frame-size 16384", .http2),
        Row("do: push /a", "push /a", .http2),
        Row("do: { push: { target: /a, method: HEAD } }", "push HEAD /a", .http2), Row("do: pad 3", "pad 3", .http2),
        Row("do: continuation 8", "continuation 8", .http2),
    ]

    @Test(arguments: rows) func `an effect ends the same for a check, a plan and a journal`(row: Row) throws {
        let known = try row.action().row
        #expect(known.ends == row.ends && known.isLast == row.isLast && known.layer == row.layer)
        let played = known.played(at: "head")
        #expect(played.action == row.journalText && "\(played)" == "\(row.journalText) at head")
        #expect(played.ends.cutsReply() == row.cuts.http1 && played.ends.cutsReply(on: 3) == row.cuts.stream)
        #expect(PlayedEffect(action: row.journalText, at: "head") == played, "what a journal is read as")
    }

    @Test func `every verb has a form in fixtures and a row in this table`() throws {
        let verbs = EffectVerb.allCases.filter { $0 != .read }
        #expect(EffectForm.all.map(\.verb) == verbs, "in the order of the reference")
        #expect(EffectForm.all.allSatisfy { $0.sentence != nil || $0.mapping != nil })
        #expect(Set(try Self.rows.map { try $0.action().verb }) == Set(verbs))
    }

    @Test(arguments: [
        ("read 5 bytes", EffectVerb?.some(.read), EffectEnd.nothing), ("explode 3", nil, .unknown), ("", nil, .unknown),
        ("push /a: left out, not permitted", .push, .nothing), ("goaway NO_ERROR last", .goaway, .nothing),
    ])
    func `a journal has words that no fixture has`(text: String, verb: EffectVerb?, ends: EffectEnd) {
        let played = PlayedEffect(action: text, at: "script")
        #expect(played.verb == verb && played.ends == ends && played.action == text)
        #expect(played.ends.cutsReply(on: 1) == (ends == .unknown))
    }
}

import ProctorBase
import ProctorHTTP
import Testing

@testable import ProctorEvents
@testable import ProctorJournal

/// A journal read back from the lines that the encoder writes.
struct JournalLinesTests {
    private static let heads: [[UInt8]] = [
        Array("POST /a?q=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n".utf8),
        Array("GET / HTTP/1.0\nX: \u{e9}\n\n".utf8),
        Array("PUT /".utf8) + [0xFF, 0x80] + Array(" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nA: ".utf8) + [
            0xFE
        ] + Array("\r\n\r\n".utf8),
        Array("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: x\r\n\r\n".utf8),
    ]

    /// Read as a server with wide limits does.
    private static func head(_ bytes: [UInt8]) throws -> RequestHead {
        var reader = RequestReader(
            limits: RequestLimits(targetByteCount: 1 << 20, fieldLineByteCount: 1 << 20, headByteCount: 1 << 20))
        var offset = 0
        guard case .head(let head) = reader.next(bytes.span, at: &offset) else {
            throw JournalEncoderTests.Unreadable()
        }
        return head
    }

    private static func events() throws -> [JournalEvent] {
        var events: [JournalEvent] = [
            .connectionOpened(origin: "main", peer: "127.0.0.1:5000", local: "[::1]:8088"),
            .requestBody(RequestBody(kept: [], byteCount: 0, isComplete: true, trailers: [])),
            .requestBody(
                RequestBody(
                    kept: Array(0...255), byteCount: 1 << 40, isComplete: false,
                    trailers: [Array("T: 1".utf8), [0x54, 0x3A, 0x00, 0xFF]])),
            .requestBody(RequestBody(kept: Array("ä\"\\\u{feff}".utf8), byteCount: 9, isComplete: true, trailers: [])),
            .requestBody(RequestBody(kept: [], byteCount: 9, isComplete: true, trailers: [], chunks: [1, 1 << 40])),
            .requestBody(
                RequestBody(
                    kept: [], byteCount: 5, isComplete: true, trailers: [], chunks: [5],
                    chunkLines: [Array(#"05;a="b""#.utf8), [0x30, 0x3B, 0xFF]])),
            .requestBody(RequestBody(kept: [], byteCount: 0, isComplete: false, trailers: [], isWithheld: true)),
            .continueSent, .bytesExpected(ExpectedBytes(byteCount: 5, metByteCount: 5, outcome: .met)),
            .bytesExpected(
                ExpectedBytes(
                    byteCount: 5, metByteCount: 2, outcome: .differed, wanted: Array("llo".utf8), got: [0x6C, 0, 0xFF])),
            .bytesExpected(ExpectedBytes(byteCount: 5, metByteCount: 0, outcome: .timedOut)),
            .violation(Violation(.missingHost, at: 9, isReadOver: true)), .exchangeChosen(exchange: 4, turn: 1),
            .missed(Miss(nearestExchange: 0, differences: [#"method: wanted GET, got "PUT""#, "ä"])),
            .missed(Miss(nearestExchange: nil, differences: [])),
            .effectPlayed(PlayedEffect(action: "wait 50ms", at: "body 4096")),
            .replyBegun(SentReply(status: nil, fields: nil, headByteCount: nil, content: nil)),
            .replyBegun(
                SentReply(
                    status: 204, fields: FieldSection(), headByteCount: 25, content: .empty,
                    codedContent: SentContent(byteCount: 1 << 40, kept: Array(0...255), sha256: "ab"))),
            .replySent(status: 302, byteCount: 90), .replySent(status: nil, byteCount: 0),
            .replyAborted(sentByteCount: 12, reason: "the client reset the connection"),
            .replyFailed(FailedReply("")), .runBegun(seed: 0), .runBegun(seed: 1 << 53 - 1),
            .clientReached(event: "redirect", task: 3), .boundReached(ReachedBound(.connections, count: 9)),
            .turnedAway(TurnedAway(.connections, limit: 9)), .turnedAway(TurnedAway(.streams, limit: 0, stream: 7)),
            .boundReached(
                ReachedBound(
                    .refusals, count: 32, guardName: "lab",
                    fault: CredentialFault(.wrongPassword, "the password is another one", section: "RFC 7617 §2"))),
            .boundReached(ReachedBound(.refusals, count: 1, guardName: "ä")),
            .loopHeld(HeldLoop(loop: 1, milliseconds: 1_250, line: "GET /a", work: .condition, exchange: 2)),
            .loopHeld(HeldLoop(loop: 0, milliseconds: 1_000, line: nil, work: .unknown, exchange: nil)),
            .stateChanged(StateChange(Array("cart".utf8), value: Array("full".utf8), by: .reply)),
            .stateChanged(StateChange([0xFF, 0], value: [0xFE], by: .call)),
            .stateChanged(StateChange(Array("cart".utf8), value: nil, by: .call)),
            .stateRefused(StateRefusal(Array("left".utf8), reason: "\"x\" is no whole number")),
        ]
        events += ReceivedBytes.Kind.allCases.map {
            .bytesReceived(ReceivedBytes($0, kept: Array("GET \r\n".utf8), byteCount: 1 << 40))
        }
        events.append(.bytesReceived(ReceivedBytes(.opaque, kept: [0, 0xFF], byteCount: 2)))
        events += TLSNoteSamples.events
        events += GuardVerdict.Outcome.allCases.map { .guarded(JournalLinesTests.verdict($0)) }
        events.append(
            .guarded(
                GuardVerdict(
                    guardName: "exchange 3", field: "Proxy-Authorization", attempt: 0, scheme: nil, user: nil,
                    nonceCount: nil, outcome: .challenged, faults: [])))
        for bytes in heads {
            let head = try head(bytes)
            events.append(.requestHead(head, target: Array("/seen".utf8)))
            events.append(.requestHead(head, target: [0x2F, 0xFF]))
        }
        for party in [JournalEvent.Party.client, .server] {
            for how in [JournalEvent.Ending.closed, .reset, .timedOut, .refused, .stopped] {
                events.append(.connectionClosed(by: party, how: how))
            }
        }
        return events
    }

    /// With everything that a verdict can hold, and what a peer may put into it.
    private static func verdict(_ outcome: GuardVerdict.Outcome) -> GuardVerdict {
        GuardVerdict(
            guardName: "lab", field: "Authorization", attempt: 1 << 40, scheme: "Digest\"",
            user: "Jäsøn\\ \u{1B}\n\u{2028}", nonceCount: .max, outcome: outcome,
            faults: CredentialFault.Kind.allCases.map {
                CredentialFault($0, "wanted \"a\",\tgot ü", section: "RFC 7616 §3.4")
            }, remarks: [CredentialFault(.skippedNonceCount, "", section: "")])
    }

    private static func entries() throws -> [JournalEntry] {
        try events().enumerated().map { index, event in
            JournalEntry(
                sequence: UInt64(index + 1), nanoseconds: .max - UInt64(index),
                connection: index % 3 == 0 ? nil : index, request: index % 2 == 0 ? nil : index, event: event)
        }
    }

    private static func encoded(
        _ entries: [JournalEntry], scenario: String? = nil, run: String? = nil, header: Bool = true
    ) -> [UInt8] {
        (header ? JournalEncoder.header : []) + JournalEncoder(scenario: scenario, run: run).lines(entries)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `every kind of event comes back and writes the same line again`() throws {
        for header in [true, false] {
            let bytes = Self.encoded(try Self.entries(), header: header)
            let read = try JournalLines(bytes, file: "j")
            #expect(read.unknownCount == 0)
            #expect(Self.text(Self.encoded(read.entries, header: header)) == Self.text(bytes))
        }
    }

    @Test func `every kind of violation comes back with its place`() throws {
        let entries = Violation.Kind.allCases.enumerated().map { index, kind in
            JournalEntry(
                sequence: UInt64(index), nanoseconds: 0, connection: 0, request: nil,
                event: .violation(Violation(kind, at: index, detail: [0x0A], bound: 7)))
        }
        let read = try JournalLines(Self.encoded(entries), file: "j").entries
        #expect(read.count == entries.count)
        for (index, entry) in read.enumerated() {
            guard case .violation(let violation) = entry.event else {
                Issue.record("\(entry.event)")
                continue
            }
            #expect(violation.kind == Violation.Kind.allCases[index])
            #expect(violation.offset == index)
            #expect(entry.connection == 0 && entry.request == nil)
        }
    }

    @Test(arguments: GuardVerdict.Outcome.allCases) func `a guard's verdict comes back whole`(
        outcome: GuardVerdict.Outcome
    ) throws {
        let bare = GuardVerdict(
            guardName: "", field: "", attempt: 0, scheme: nil, user: nil, nonceCount: nil, outcome: outcome, faults: [])
        for verdict in [Self.verdict(outcome), bare] {
            let entry = JournalEntry(sequence: 1, nanoseconds: 1, connection: 0, request: 0, event: .guarded(verdict))
            let read = try JournalLines(Self.encoded([entry]), file: "j").entries
            guard case .guarded(let again)? = read.first?.event else {
                Issue.record("no verdict")
                return
            }
            #expect(again == verdict)
        }
    }

    @Test func `a head comes back with what the reader found wrong in it`() throws {
        let bytes = Self.encoded([
            JournalEntry(
                sequence: 1, nanoseconds: 1, connection: 0, request: 0,
                event: .requestHead(try Self.head(Self.heads[1]), target: [0x2F]))
        ])
        guard case .requestHead(let head, let target)? = try JournalLines(bytes, file: "j").entries.first?.event else {
            Issue.record("no head")
            return
        }
        #expect(head.violations.map(\.kind).contains(.bareLF))
        #expect(head.bytes == Self.heads[1])
        #expect(target == [0x2F])
    }

    @Test func `every byte of a body comes back`() throws {
        for byte in UInt8.min ... .max {
            for body in [[byte], [0x41, byte], [byte, byte, 0x41]] {
                let entry = JournalEntry(
                    sequence: 1, nanoseconds: 1, connection: 0, request: 0,
                    event: .requestBody(
                        RequestBody(kept: body, byteCount: body.count, isComplete: true, trailers: [body])))
                guard
                    case .requestBody(let read)? = try JournalLines(Self.encoded([entry]), file: "j").entries.first?
                        .event
                else {
                    Issue.record("no body")
                    return
                }
                #expect(read.kept == body && read.trailers == [body])
            }
        }
    }

    @Test func `a body without chunk sizes, as earlier versions wrote it, has none`() throws {
        let line = #"{"seq":1,"ns":1,"ev":"requestBody","body":"ab","byteCount":2,"isComplete":true,"trailers":[]}"#
        guard case .requestBody(let body)? = try JournalLines(Array(line.utf8), file: "j").entries.first?.event else {
            Issue.record("no body")
            return
        }
        #expect(body == RequestBody(kept: Array("ab".utf8), byteCount: 2, isComplete: true, trailers: []))
    }

    @Test func `events of later versions are counted and left out`() throws {
        let bytes = Array(
            """
            {"journal":"proctor","version":1,"clock":"monotonic","unit":"ns","more":[1,{"a":null}]}
            {"seq":1,"ns":5,"ev":"dreamt","of":{"sheep":[true,-1.5e3]}}

            {"seq":2,"ns":6,"connection":0,"ev":"replySent","byteCount":3,"colour":"red"}
            {"seq":3,"ns":7,"ev":"dreamt"}
            """.utf8)
        let read = try JournalLines(bytes, file: "j")
        #expect(read.unknownCount == 2)
        #expect(read.entries.map(\.sequence) == [2])
    }

    @Test func `an empty file is an empty journal`() throws {
        for text in ["", "\n", " \r\n\n", #"{"journal":"proctor","version":1}"#] {
            #expect(try JournalLines(Array(text.utf8), file: "j").entries.isEmpty)
        }
    }

    @Test func `lines may end in CR LF and be indented`() throws {
        let bytes = Array("  {\"seq\":2,\"ns\":6,\"ev\":\"replySent\",\"byteCount\":3}\t\r\n".utf8)
        #expect(try JournalLines(bytes, file: "j").entries.count == 1)
    }

    struct Wrong: CustomTestStringConvertible {
        let line: String
        let column: Int
        let sentence: String
        var testDescription: String { line }

        init(_ line: String, at column: Int = 1, _ sentence: String) {
            self.line = line
            self.column = column
            self.sentence = sentence
        }
    }

    private static func guarded(_ rest: String, attempt: String = "1") -> String {
        #"{"seq":1,"ns":1,"ev":"guarded","guard":"g","field":"Authorization","attempt":\#(attempt),\#(rest)}"#
    }

    private static let number = "is a whole number from 0 to 9007199254740992"

    @Test(arguments: [
        Wrong("[]", "expected an entry as an object of JSON"), Wrong("7", "expected an entry as an object of JSON"),
        Wrong("hello", "expected a value, not 'h'"),
        Wrong("{", at: 2, "the line ends where the end of an object or a list is expected"),
        Wrong(#"{"seq":1,}"#, at: 10, "expected a key in double quotes, not '}'"),
        Wrong(#"{"seq":1} x"#, at: 11, "expected the end of the line, not 'x'"),
        Wrong("{}", "an entry needs the key 'ev'"), Wrong(#"{"ev":7}"#, "'ev' is a text"),
        Wrong(#"{"ev":"replySent","ns":1,"byteCount":1}"#, "an entry needs the key 'seq'"),
        Wrong(
            #"{"seq":-1,"ns":1,"ev":"replySent","byteCount":1}"#,
            "'seq' is a whole number from 0 to 18446744073709551615"),
        Wrong(#"{"seq":1,"ns":1,"ev":"replySent","byteCount":-1}"#, "'byteCount' \(number)"),
        Wrong(#"{"seq":1,"ns":1,"ev":"replySent","byteCount":1.5}"#, "'byteCount' \(number)"),
        Wrong(#"{"seq":1,"ns":1,"ev":"replySent","byteCount":9007199254740993}"#, "'byteCount' \(number)"),
        Wrong(#"{"seq":1,"ns":1,"ev":"replySent","byteCount":"1"}"#, "'byteCount' \(number)"),
        Wrong(#"{"seq":1,"ns":1,"connection":null,"ev":"replySent","byteCount":1}"#, "'connection' \(number)"),
        Wrong(#"{"seq":1,"ns":1,"ev":"violation","kind":"bare-lff"}"#, "there is no violation of kind 'bare-lff'"),
        Wrong(#"{"seq":1,"ns":1,"ev":"connectionClosed","by":"peer","how":"reset"}"#, "'by' is no 'peer'"),
        Wrong(
            #"{"seq":1,"ns":1,"ev":"requestHead","target":"/","bytes":"GET / HTTP/1.1"}"#,
            "'bytes' of a requestHead hold no complete request head"),
        Wrong(
            #"{"seq":1,"ns":1,"ev":"requestHead","target":"/","bytes":""}"#,
            "'bytes' of a requestHead hold no complete request head"),
        Wrong(
            #"{"seq":1,"ns":1,"ev":"requestHead","target":"/","bytesBase64":"A"}"#,
            "'bytes': this base64 is cut off or wrongly padded"),
        Wrong(#"{"seq":1,"ns":1,"ev":"requestBody","body":7}"#, "'body' is text, or an object with base64"),
        Wrong(
            #"{"seq":1,"ns":1,"ev":"requestBody","body":"","byteCount":0,"isComplete":1}"#,
            "'isComplete' is true or false"),
        Wrong(
            #"{"seq":1,"ns":1,"ev":"requestBody","body":"","byteCount":0,"isComplete":true,"trailers":{}}"#,
            "'trailers' is a list"),
        Wrong(
            #"{"seq":1,"ns":1,"ev":"requestBody","body":"","byteCount":0,"isComplete":true,"trailers":[],"#
                + #""chunks":[1,-1]}"#, "'chunks' \(number)"),
        Wrong(
            #"{"seq":1,"ns":1,"ev":"missed","differences":[{"base64":"?"}]}"#,
            "'differences': this is not base64 (RFC 4648 §4)"),
        Wrong(guarded(#""outcome":"pleased","faults":[],"remarks":[]"#), "'outcome' is no 'pleased'"),
        Wrong(guarded(#""outcome":"refused","remarks":[]"#), "an entry needs the key 'faults'"),
        Wrong(guarded(#""outcome":"refused","faults":{},"remarks":[]"#), "'faults' is a list"),
        Wrong(guarded(#""outcome":"refused","faults":[7],"remarks":[]"#), "'faults' is a list of objects"),
        Wrong(
            guarded(
                #""outcome":"refused","remarks":[],"faults":[{"kind":"wrong-mood\u001b","sentence":"","section":""}]"#),
            "there is no fault of kind 'wrong-mood\\x1B'"),
        Wrong(
            guarded(#""outcome":"refused","remarks":[],"faults":[{"kind":"wrong-uri","section":""}]"#),
            "an entry needs the key 'sentence'"),
        Wrong(
            guarded(#""nonceCount":4294967296,"outcome":"stale","faults":[],"remarks":[]"#),
            "'nonceCount' is a whole number from 0 to 4294967295"),
        Wrong(guarded(#""nonceCount":"1","outcome":"stale""#, attempt: "0"), "'nonceCount' \(number)"),
        Wrong(guarded(#""outcome":"stale""#, attempt: "-1"), "'attempt' \(number)"),
        Wrong(guarded(#""user":null,"outcome":"stale""#), "'user' is a text"),
    ]) func `an invalid line is reported with its place`(row: Wrong) {
        let good = "{\"seq\":1,\"ns\":1,\"ev\":\"replySent\",\"byteCount\":1}\n"
        let error = #expect(throws: TraceReadingError.self) {
            try JournalLines(Array((good + row.line + "\n" + good).utf8), file: "x/j.jsonl")
        }
        #expect(error?.description == "x/j.jsonl:2:\(row.column): \(row.sentence)")
    }

    @Test func `a journal of a later version is refused at its first line`() {
        for (version, sentence) in [
            ("3", "the journal is of version 3, and this proctor reads up to 2: take a newer one"),
            (#""1""#, "'version' is a whole number from 0 to 9007199254740992"),
        ] {
            let error = #expect(throws: TraceReadingError.self) {
                try JournalLines(Array("{\"journal\":\"proctor\",\"version\":\(version)}\n".utf8), file: "j")
            }
            #expect(error?.description == "j:1:1: \(sentence)")
        }
    }

    @Test func `depth has a bound`() {
        let line = #"{"ev":\#(String(repeating: "[", count: 100_000))"#
        let error = #expect(throws: TraceReadingError.self) { try JournalLines(Array(line.utf8), file: "j") }
        #expect(error?.sentence == "objects and lists go no more than 32 levels deep")
    }

    @Test func `cut anywhere, a journal gives the lines before or an error in the last line`() throws {
        let entries = Array(try Self.entries().prefix(8))
        let bytes = Self.encoded(entries)
        for count in bytes.indices {
            let part = Array(bytes[..<count])
            let wholeLines = part.filter { $0 == 0x0A }.count
            do throws(TraceReadingError) {
                let read = try JournalLines(part, file: "j")
                let again = Self.encoded(read.entries, header: false).dropLast()
                #expect(read.entries.isEmpty || Self.text(bytes).contains(Self.text(Array(again))))
                #expect(read.entries.count >= max(0, wholeLines - 1))
            } catch { #expect(error.location.line == wholeLines + 1) }
        }
    }

    // MARK: Files of several journals

    private static func reply(_ sequence: UInt64) -> JournalEntry {
        JournalEntry(
            sequence: sequence, nanoseconds: sequence, connection: 0, request: 0,
            event: .replySent(status: 200, byteCount: Int(sequence)))
    }

    @Test func `the lines of one scenario are taken out of a shared file`() throws {
        let bytes =
            Self.encoded([Self.reply(1)]) + Self.encoded([Self.reply(2)], scenario: "a/b", header: false)
            + Self.encoded([Self.reply(3)], scenario: "other", run: "r1", header: false)
            + Self.encoded([Self.reply(4)], scenario: "a/b", header: false)
        #expect(try JournalLines(bytes, file: "j", scenario: "a/b").entries.map(\.sequence) == [2, 4])
        #expect(try JournalLines(bytes, file: "j", scenario: "other").entries.map(\.sequence) == [3])
        let error = #expect(throws: TraceReadingError.self) { try JournalLines(bytes, file: "j") }
        #expect(
            error?.description
                == "j:4:1: this line is of scenario 'other', run 'r1', those before are of scenario 'a/b': "
                + "give the lines of one run")
    }

    @Test func `lines that name no journal belong to any scenario`() throws {
        let bytes = Self.encoded([Self.reply(1), Self.reply(2)])
        #expect(try JournalLines(bytes, file: "j", scenario: "a/b").entries.count == 2)
        #expect(
            try JournalLines(Self.encoded([Self.reply(1)], run: "r1"), file: "j", scenario: "a/b").entries.count == 1)
    }

    @Test func `two runs of one scenario are not mixed`() {
        let bytes =
            Self.encoded([Self.reply(1)], scenario: "a", run: "r1")
            + Self.encoded([Self.reply(1)], scenario: "a", run: "r2", header: false)
        let error = #expect(throws: TraceReadingError.self) { try JournalLines(bytes, file: "j", scenario: "a") }
        #expect(error?.location.line == 3)
        #expect(
            error?.sentence
                == "this line is of scenario 'a', run 'r2', those before are of scenario 'a', run 'r1': give the lines of one run"
        )
    }

    @Test func `a file of other scenarios is refused with that reason`() {
        let bytes = Self.encoded([Self.reply(1)], scenario: "a")
        let error = #expect(throws: TraceReadingError.self) { try JournalLines(bytes, file: "j", scenario: "b") }
        #expect(error?.description == "j:1:1: no line is of scenario 'b'; some are of 'a'")
    }
}

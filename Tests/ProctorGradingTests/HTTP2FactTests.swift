import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Facts about frames, streams and connections of HTTP/2, each with what holds and what does not.
struct HTTP2FactTests {
    /// A connection of HTTP/2 as its two sides would have it: an upload with padding, a cancelled request, one that was
    /// refused, and one for another authority; then a connection of HTTP/1.1, and one that only got the server's SETTINGS.
    static func journal() throws -> [JournalEntry] {
        var script = JournalScript.opened()
        script.frame(.server, "SETTINGS", .settings([]))
        script.frame(
            .client, "SETTINGS",
            .settings([
                SettingNote("ENABLE_PUSH", 0), SettingNote("INITIAL_WINDOW_SIZE", 100),
                SettingNote("INITIAL_WINDOW_SIZE", 200), SettingNote("NO_RFC7540_PRIORITIES", 1),
            ]))
        script.frame(.client, "WINDOW_UPDATE", .increment(1_000))
        script.frame(.server, "SETTINGS", flags: ["ACK"])
        script.frame(.client, "PRIORITY_UPDATE", .priorityUpdate(stream: 1, value: Array("u=1".utf8)))
        // An idle stream with a priority alone is not open.
        script.frame(.client, "PRIORITY", .priority(dependsOn: 0, isExclusive: false, weight: 201), on: 9)
        script.frame(
            .client, "HEADERS", .priority(dependsOn: 9, isExclusive: true, weight: 16), on: 1,
            flags: ["PADDED", "PRIORITY"], padding: 4)
        script.frame(.client, "CONTINUATION", on: 1)
        script.frame(.client, "CONTINUATION", on: 1, flags: ["END_HEADERS"])
        script.add(.fieldBlock(block([":method", ":path", "te"], on: 1)))
        script.head(on: 1)
        script.frame(.client, "DATA", on: 1, byteCount: 16, flags: ["PADDED"], padding: 5)
        script.frame(.client, "DATA", on: 1, byteCount: 3)
        script.frame(.client, "WINDOW_UPDATE", .increment(70), on: 1)
        script.frame(.client, "DATA", on: 1, byteCount: 0, flags: ["END_STREAM"])
        script.frame(.client, "WINDOW_UPDATE", .increment(7), on: 1)
        script.frame(.server, "HEADERS", on: 1, flags: ["END_STREAM", "END_HEADERS"])
        script.frame(.client, "SETTINGS", flags: ["ACK"])
        script.frame(.client, "PING", .opaque([1]), flags: ["ACK"])
        script.frame(.client, "HEADERS", on: 3, flags: ["END_HEADERS"])
        script.add(.fieldBlock(block([":method"], on: 3)))
        script.head(on: 3)
        script.frame(.client, "RST_STREAM", .code("CANCEL"), on: 3)
        script.frame(.client, "RST_STREAM", .code("NO_ERROR"), on: 3)
        script.frame(.client, "HEADERS", on: 5, flags: ["END_STREAM", "END_HEADERS"])
        script.add(violation("too-many-streams", on: 5, scope: .stream))
        script.frame(.server, "RST_STREAM", .code("REFUSED_STREAM"), on: 5)
        script.frame(.client, "SETTINGS", .settings([SettingNote("ENABLE_PUSH", 1)]))
        script.frame(.client, "HEADERS", on: 7, flags: ["END_STREAM", "END_HEADERS"])
        script.head(on: 7, authority: "B.example")
        script.frame(.client, "GOAWAY", .goAway(lastStream: 0, code: "ENHANCE_YOUR_CALM", debug: []))
        script.close(0)
        script.open(1)
        try script.request("GET /x", on: 1)
        try script.request("GET /y", on: 1)
        script.close(1)
        script.open(2)
        script.frame(.server, "SETTINGS", .settings([]), connection: 2)
        script.open(3)
        return script.entries
    }

    static func block(_ names: [String], on stream: UInt32, itemCount: Int? = nil) -> FieldBlockNote {
        FieldBlockNote(
            by: .client, stream: stream, kind: .request, frameCount: 1, byteCount: 9, itemCount: itemCount,
            items: [.tableSize(0)] + names.map { .field(FieldBlockNote.Field(Array($0.utf8), [], .indexed, index: 1)) })
    }

    static func violation(
        _ kind: String, on stream: UInt32, scope: FrameViolationNote.Scope = .connection
    ) -> JournalEvent {
        .frameViolation(
            FrameViolationNote(
                kind, section: "RFC 9113 §5.1.2", sentence: "it is wrong", at: 24, stream: stream, frame: "HEADERS",
                scope: scope, code: "REFUSED_STREAM"))
    }

    @Test func `every fact of a stream and of a connection has a name, words and a value`() throws {
        let record = WireRecord(try Self.journal())
        let names =
            FactName.StreamFact.allCases.map { FactName.stream(index: 0, $0) }
            + FactName.HTTP2Fact.allCases.map { FactName.http2(index: 0, $0) }
        #expect(Set(names.map(\.words)).count == names.count)
        for name in names {
            #expect(try FactName(parsing: name.text) == name)
            _ = record.measure(name)
        }
        let settings = FactName.HTTP2Fact.allCases.compactMap(\.setting)
        #expect(settings.count == 8 && settings.contains("NO_RFC7540_PRIORITIES"))
    }

    // MARK: What a journal leaves out

    /// `own` frames of content of the client, and `other` ones of the server, of which the journal has entries.
    private func upload(_ own: Int, _ other: Int = 0, endsStream: Bool) -> WireRecord {
        var script = JournalScript.opened()
        script.frame(.client, "HEADERS", on: 1, flags: ["END_HEADERS"])
        script.head(on: 1)
        for _ in 0..<other { script.frame(.server, "DATA", on: 1, byteCount: 1) }
        for index in 0..<own {
            script.frame(
                .client, "DATA", on: 1, byteCount: 10, flags: endsStream && index == own - 1 ? ["END_STREAM"] : [])
        }
        // What the server sends behind the end hides nothing of the client's.
        for _ in 0..<80 where endsStream { script.frame(.server, "DATA", on: 1, byteCount: 1) }
        script.add(
            .requestBody(RequestBody(kept: [], byteCount: 9_999, isComplete: true, trailers: [])), request: 0)
        return WireRecord(script.entries)
    }

    @Test func `content of more frames than the journal keeps has the length of the request`() throws {
        let whole = upload(64, endsStream: true)
        #expect(whole.measure(.stream(index: 0, .data)).value == .number(64))
        #expect(whole.measure(.stream(index: 0, .length)).value == .number(640))
        for cut in [
            upload(65, endsStream: true), upload(64, endsStream: false), upload(2, 62, endsStream: false),
            upload(1, 64, endsStream: true),
        ] {
            for fact in [FactName.StreamFact.data, .padding, .frames] {
                guard case .notKept = cut.measure(.stream(index: 0, fact)).value else {
                    Issue.record("\(fact) is known")
                    continue
                }
            }
            #expect(cut.measure(.stream(index: 0, .length)).value == .number(9_999))
        }
        #expect(upload(2, 61, endsStream: false).measure(.stream(index: 0, .data)).value == .number(2))
    }

    @Test func `fields that the journal has not kept are not judged`() {
        var script = JournalScript.opened()
        script.frame(.client, "HEADERS", on: 1)
        script.add(.fieldBlock(Self.block([":method"], on: 1, itemCount: 300)))
        script.frame(.client, "HEADERS", on: 3)
        let record = WireRecord(script.entries)
        #expect(
            record.measure(.stream(index: 0, .fields)).value
                == .notKept("the journal kept 2 of 300 items of its field block"))
        #expect(record.measure(.stream(index: 1, .fields)).value == .notKept("no whole field block of it came"))
    }

    // MARK: GOAWAY

    /// Frames in words: `goaway 3` and `ping a` of the server, `settings` of the server, `open 5` and `ack`, `ack a` of
    /// the client.
    private func heeds(_ frames: String) throws -> String? {
        var script = JournalScript.opened()
        script.frame(.client, "SETTINGS", .settings([]))
        for step in frames.split(separator: ",") {
            let words = step.split(separator: " ")
            let number = words.count > 1 ? UInt32(words[1]) : nil
            let opaque = words.count > 1 ? Array(words[1].utf8) : []
            switch words[0] {
            case "goaway":
                script.frame(
                    .server, "GOAWAY", .goAway(lastStream: try #require(number), code: "NO_ERROR", debug: []))
            case "settings": script.frame(.server, "SETTINGS", .settings([]))
            case "ping": script.frame(.server, "PING", .opaque(opaque))
            case "open": script.frame(.client, "HEADERS", on: try #require(number))
            case "ack" where words.count == 1: script.frame(.client, "SETTINGS", flags: ["ACK"])
            default: script.frame(.client, "PING", .opaque(opaque), flags: ["ACK"])
            }
        }
        guard case .text(let bytes) = WireRecord(script.entries).measure(.http2(index: 0, .goawayHeeded)).value else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("open 1,settings,ack", nil), ("open 1,goaway 1", "true"), ("open 1,goaway 1,open 3", "true"),
        // The acknowledgement is of SETTINGS before the GOAWAY.
        ("settings,goaway 1,ack,open 3", "true"), ("settings,goaway 1,settings,ack,open 3,ack", "true"),
        ("settings,goaway 1,settings,ack,ack,open 3", "false"), ("goaway 1,ping a,ack a,open 3", "false"),
        ("ping a,goaway 1,ack a,open 3", "true"), ("ping a,goaway 1,ping a,ack a,open 3,ack a", "true"),
        ("ping a,goaway 1,ping b,ack b,open 3", "false"), ("goaway 1,ping a,ack b,open 3", "true"),
        // A stream that is not above the last one is still wanted.
        ("goaway 5,ping a,ack a,open 3,open 5", "true"), ("goaway 5,ping a,ack a,open 7", "false"),
        ("goaway 2147483647,ping a,ack a,open 7,goaway 7,ping b,open 9", "true"),
        ("goaway 2147483647,ping a,ack a,open 7,goaway 7,ping b,ack b,open 9", "false"),
    ]) func `a stream is opened against a GOAWAY once an acknowledgement shows that it was read`(
        frames: String, heeded: String?
    ) throws {
        #expect(try heeds(frames) == heeded, "\(frames)")
    }
}

/// Frames in expressions and edges.
struct HTTP2EventTests {
    private static func journal() -> [JournalEntry] {
        var script = JournalScript.opened()
        script.frame(.client, "SETTINGS", flags: ["ACK"])
        script.frame(.client, "HEADERS", on: 1)
        script.head(on: 1)
        script.wait(milliseconds: 1)
        script.frame(.server, "GOAWAY", .goAway(lastStream: 1, code: "NO_ERROR", debug: []))
        script.frame(.server, "PING", .opaque([1]))
        script.frame(.client, "PING", .opaque([1]), flags: ["ACK"])
        script.wait(milliseconds: 1)
        script.frame(.client, "RST_STREAM", .code("CANCEL"), on: 1)
        script.frame(.server, "RST_STREAM", .code("NO_ERROR"), on: 1)
        script.wait(milliseconds: 1)
        script.frame(.client, "GOAWAY", .goAway(lastStream: 0, code: "0x2a", debug: []))
        return script.entries
    }

    @Test func `frames that expressions cannot name are no events`() {
        let record = WireRecord(Self.journal())
        #expect(
            record.frameEvents.map(\.symbol.description) == [
                "settingsAcknowledged", "goawaySent(NO_ERROR)", "pingAcknowledged", "reset(CANCEL)",
                "resetSent(NO_ERROR)", "goaway(0x2a)",
            ])
    }
}

extension JournalScript {
    /// A frame at connection 0.
    fileprivate mutating func frame(
        _ party: JournalEvent.Party, _ type: String, _ detail: FrameNote.Detail? = nil, on stream: UInt32 = 0,
        byteCount: Int = 4, flags: [String] = [], padding: Int? = nil, connection: Int = 0
    ) {
        add(
            .frame(
                FrameNote(
                    by: party, type: type, flags: flags, stream: stream, byteCount: byteCount, offset: 0,
                    padding: padding, detail: detail)), on: connection)
    }

    /// The request of a stream of connection 0, numbered by its stream.
    fileprivate mutating func head(on stream: UInt32, authority: String = "a.example") {
        let head = RequestHead(
            RequestHead.ControlData(
                method: Array("GET".utf8), path: Array("/a".utf8), authority: Array(authority.utf8),
                endsStream: true, contentLength: nil, stream: stream), fields: [])
        add(.requestHead(head, target: Array("/a".utf8)), request: Int(stream) / 2)
    }
}

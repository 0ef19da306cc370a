import ProctorBase
import ProctorEvents
import Testing

struct TraceReaderTests {
    private let header =
        #"{"trace":"proctor","version":1,"client":"urlsession-corelibs","clientVersion":"6.3.1","clock":"monotonic","#
        + #""unit":"ns","lanes":["task","session","handler","harness"],"scenario":"a/b","case":"c","run":"r1"}"#

    @Test func `every key of an event is read`() {
        let seen = TraceVerifier.seen(
            #"{"seq":7,"ns":81230012000000,"lane":"task","task":1,"object":2,"ev":"redirect","arg":"302","#
                + #""phase":"exit","queue":"D","thread":"t3","family":"US","facts":{"to":"/b","n":5,"accepts":true}}"#
                + "\n")
        #expect(
            seen.events == [
                TraceEvent(
                    sequence: 7, time: .monotonic(81_230_012_000_000), lane: .task, task: 1, object: 2,
                    name: .redirect, argument: "302", phase: .exit, queue: "D", thread: "t3", family: .sessionData,
                    facts: [
                        EventFact(.to, .text("/b")), EventFact(.n, .integer(5)), EventFact(.accepts, .flag(true)),
                    ])
            ])
        #expect(seen.errors.isEmpty && !seen.isCut && seen.format == .jsonLines)
    }

    @Test func `values that a line leaves out are unknown or zero, and lines are counted`() {
        let seen = TraceVerifier.seen(
            "{\"ev\":\"data\"}\n\n  \r\n{\"ev\":\"p.start\"}\n{\"seq\":9,\"ev\":\"request\"}\n{\"ev\":\"resume\"}")
        #expect(
            seen.events == [
                TraceEvent(sequence: 1, lane: .task, name: .data), TraceEvent(sequence: 2, lane: .proto, name: .pStart),
                TraceEvent(sequence: 9, lane: .wire, name: .request),
                TraceEvent(sequence: 10, lane: .harness, name: .resume),
            ])
        #expect(seen.lineCount == 6 && seen.skippedLineCount == 0)
    }

    @Test func `the header is no event`() {
        let seen = TraceVerifier.seen(header + "\n{\"ev\":\"data\"}\n")
        #expect(
            seen.header
                == TraceHeader(
                    client: "urlsession-corelibs", clientVersion: "6.3.1",
                    lanes: [.task, .session, .handler, .harness],
                    scenario: "a/b", caseName: "c", run: "r1"))
        #expect(seen.symbols == "data")
    }

    @Test func `a header may leave out keys, and have them in any order`() {
        let seen = TraceVerifier.seen(
            "\u{FEFF}\n {\"new\":{\"a\":[1,{}]},\"version\":1,\"lanes\":[],\"trace\":\"proctor\"}\r\n")
        #expect(seen.header == TraceHeader(lanes: []))
        // A fact of a later version says nothing about those of this one.
        let some = TraceVerifier.seen(#"{"trace":"proctor","version":1,"facts":["status","newer","mime"]}"#)
        #expect(some.header == TraceHeader(facts: [.status, .mime]))
        #expect(TraceVerifier.seen("{\"ev\":\"data\"}").header == nil)
    }

    @Test func `times of another clock than the server's are marked as such`() throws {
        let trace = try Trace(
            Array("{\"trace\":\"proctor\",\"version\":1,\"clock\":\"wall\"}\n{\"ev\":\"data\",\"ns\":1500000}\n".utf8))
        #expect(trace.events.map(\.time) == [.elsewhere(1.5)])
        #expect(trace.header?.isMonotonic == false)
    }

    @Test(arguments: [
        ("0", 0), ("12.5", 12.5), ("-3.25", -3.25), ("1e3", 1000), ("1.5E-2", 0.015),
        ("123456789.123456", 123_456_789.123456),
        ("0.1", 0.1), ("1234567890123456789012", 1.234567890123456789012e21),
        ("0.12345678901234567890", 0.1234567890123456789),
    ])
    func `milliseconds are exact`(_ text: String, _ value: Double) {
        let seen = TraceVerifier.seen("{\"ev\":\"data\",\"ms\":\(text)}\n")
        #expect(seen.events.map(\.time) == [.elsewhere(value)])
    }

    @Test func `nanoseconds take precedence over milliseconds, whichever comes first`() {
        let seen = TraceVerifier.seen(
            "{\"ev\":\"data\",\"ms\":1,\"ns\":2}\n{\"ev\":\"data\",\"ns\":18446744073709551615,\"ms\":1}\n")
        #expect(seen.events.map(\.time) == [.monotonic(2), .monotonic(.max)])
    }

    @Test func `every lane has its name, and the client's lane two`() {
        for lane in Lane.allCases {
            let name = EventVocabulary.names(in: lane)[0]
            let seen = TraceVerifier.seen("{\"lane\":\"\(lane.rawValue)\",\"ev\":\"\(name)\"}\n")
            #expect(seen.events.map(\.lane) == [lane])
        }
        #expect(TraceVerifier.seen(#"{"lane":"client","ev":"data"}"#).events.map(\.lane) == [.protocolClient])
        let indexed = TraceVerifier.seen(
            #"{"lane":"task[3]","ev":"data"}"# + "\n" + #"{"ev":"p.init","lane":"proto[2]"}"# + "\n"
                + #"{"ev":"data","task":1,"lane":"task[3]"}"#)
        #expect(indexed.events.map(\.laneID) == [LaneID(.task, 3), LaneID(.proto, 2), LaneID(.task, 1)])
    }

    @Test func `every event of the vocabulary is read in every lane of its own`() {
        for kind in EventVocabulary.kinds {
            for lane in kind.lanes {
                let seen = TraceVerifier.read([Array("{\"lane\":\"\(lane)\",\"ev\":\"\(kind.name)\"}".utf8)], 1_000)
                #expect(seen.events.map(\.name) == [kind.event], "\(kind.name) in \(lane)")
            }
            for lane in Lane.allCases where !kind.lanes.contains(lane) {
                let seen = TraceVerifier.read([Array("{\"lane\":\"\(lane)\",\"ev\":\"\(kind.name)\"}".utf8)], 1_000)
                #expect(seen.events.isEmpty && seen.errors.count == 1, "\(kind.name) in \(lane)")
            }
        }
    }

    @Test func `texts may hold every escape`() {
        let seen = TraceVerifier.seen(
            #"{"ev":"destination","arg":"a\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\uD83D\uDE00z","queue":"\ud83d","thread":"\ude00x","#
                + #""facts":{"body":"\uD83Dx","url":"\uD83D\u0041"}}"#)
        let event = seen.events.first
        #expect(event?.argument == "a\"\\/\u{8}\u{C}\n\r\tAé€😀z")
        #expect(event?.queue == "\u{FFFD}" && event?.thread == "\u{FFFD}x")
        #expect(event?.facts.text(.body) == "\u{FFFD}x" && event?.facts.text(.url) == "\u{FFFD}A")
    }

    @Test func `keys and names may be escaped as well`() {
        let seen = TraceVerifier.seen(
            #"{"\u0065v":"resp\u006Fnse","lane":"t\u0061sk","arg":"200","ph\u0061se":"\u0065xit","facts":{"byt\u0065s":1}}"#
        )
        #expect(seen.symbols == "response(200)")
        #expect(seen.events.first?.phase == .exit && seen.events.first?.facts.integer(.bytes) == 1)
    }

    @Test func `a text that is no UTF-8 is repaired`() {
        let seen = TraceVerifier.seen(
            Array(#"{"ev":"data","queue":""#.utf8) + [0xC3, 0x28, 0xFF] + Array("\"}\n".utf8))
        #expect(seen.events.first?.queue == "\u{FFFD}(\u{FFFD}")
    }

    @Test func `an argument may be a number or null`() {
        let seen = TraceVerifier.seen(
            "{\"ev\":\"response\",\"arg\":200}\n{\"ev\":\"complete\",\"arg\":null}\n{\"ev\":\"wsClose\",\"arg\":-1.50}")
        #expect(seen.events.map(\.argument) == ["200", nil, "-1.50"])
    }

    @Test func `an outcome follows from domain and code`() {
        let seen = TraceVerifier.seen(
            #"{"ev":"complete","facts":{"domain":"NSURLErrorDomain","code":-1001}}"# + "\n"
                + #"{"ev":"awaited","facts":{"code":54,"domain":"NSPOSIXErrorDomain"}}"# + "\n"
                + #"{"ev":"handler","arg":"ok","facts":{"code":54,"domain":"NSPOSIXErrorDomain"}}"# + "\n"
                + #"{"ev":"data","facts":{"code":54,"domain":"NSPOSIXErrorDomain"}}"#)
        #expect(seen.symbols == "complete(timedOut) awaited(NSPOSIXErrorDomain#54) handler(ok) data")
    }

    @Test func `keys of newer recorders are ignored`() {
        let deep = String(repeating: "[{\"k\":", count: 16) + "1" + String(repeating: "}]", count: 16)
        let seen = TraceVerifier.seen(
            "{\"ev\":\"data\",\"a\":[],\"b\":{},\"c\":[1,-2.5e+7,\"x\\n\",true,false,null],\"d\":\(deep),"
                + "\"facts\":{\"bytes\":3,\"later\":[[]],\"n\":null},\"e\":{\"x\":[{}]}}\n")
        #expect(seen.symbols == "data" && seen.errors.isEmpty)
        #expect(seen.events.first?.facts == [EventFact(.bytes, .integer(3))])
    }

    @Test func `blanks stand where JSON allows them`() {
        let seen = TraceVerifier.seen("\t { \"ev\" :\t\"data\" , \"facts\" : { \"n\" : 1 , \"total\" : 2 } } \r\n")
        #expect(seen.events.first?.facts == [EventFact(.n, .integer(1)), EventFact(.total, .integer(2))])
    }

    @Test func `numbers reach to their bounds`() {
        let seen = TraceVerifier.seen(
            "{\"ev\":\"data\",\"seq\":\(Int.max),\"task\":\(Int.max),\"facts\":{\"n\":\(Int.min),\"total\":-0}}\n{\"ev\":\"data\"}"
        )
        #expect(seen.events.map(\.sequence) == [.max, .max])
        #expect(seen.events[0].task == .max)
        #expect(seen.events[0].facts == [EventFact(.n, .integer(.min)), EventFact(.total, .integer(0))])
    }

    @Test func `a line broken off at the end is no error`() {
        let line =
            #"{"seq":1,"ns":12,"lane":"task","ev":"data","arg":"\u00e9","facts":{"n":-1,"accepts":true},"later":[1,{"a":null}]}"#
        for count in 1..<line.utf8.count {
            let seen = TraceVerifier.read([Array(("{\"ev\":\"data\"}\n" + line).utf8.prefix(14 + count))], 1_000)
            #expect(seen.isCut && seen.errors.isEmpty && seen.events.count == 1, "cut behind \(count) bytes")
        }
        #expect(!TraceVerifier.seen(line).isCut)
        let header = TraceVerifier.seen(String(header.dropLast()))
        #expect(header.isCut && header.errors.isEmpty && header.header == nil)
        // With a line feed it is an event: its writer took it for complete.
        #expect(TraceVerifier.seen("{\"ev\":\"da\n").errors.count == 1)
    }

    @Test func `reading goes on behind a bad line`() {
        let seen = TraceVerifier.seen(
            "{\"ev\":\"data\"}\n{\"ev\":\"dta\"}\n{\"ev\":\"data\",\n{\"ev\":\"complete\",\"arg\":\"ok\"}\n")
        #expect(seen.symbols == "data complete(ok)")
        #expect(seen.errors.map(\.location.line) == [2, 3])
    }

    @Test func `a line that is too long is refused once, and the next one read`() {
        let long = "{\"ev\":\"data\",\"queue\":\"" + String(repeating: "x", count: 60) + "\"}"
        for end in ["\n", "\r\n"] {
            let seen = TraceVerifier.seen(
                "{\"ev\":\"data\"}" + end + long + end + "{\"ev\":\"resume\"}" + end, lineByteLimit: 40)
            #expect(seen.symbols == "data resume")
            #expect(
                seen.errors.map(\.description) == [
                    "t.jsonl:2:1: the line is longer than 40 bytes; long bodies don't belong into a trace"
                ])
            #expect(seen.lineCount == 3)
        }
        let exact = "{\"ev\":\"data\"}"
        #expect(TraceVerifier.seen(exact + "\n", lineByteLimit: exact.utf8.count).errors.isEmpty)
        #expect(TraceVerifier.seen(exact + "\n", lineByteLimit: exact.utf8.count - 1).errors.count == 1)
        #expect(TraceVerifier.seen(long, lineByteLimit: 40).errors.count == 1)
    }

    @Test func `nothing is read behind a header that is refused`() {
        let seen = TraceVerifier.seen("{\"trace\":\"proctor\",\"version\":2}\n{\"ev\":\"data\"}\n{\"ev\":\"dta\"}\n")
        #expect(seen.items.count == 1)
        #expect(
            seen.errors.first?.description
                == "t.jsonl:1:30: version 2 of the format is newer than 1, the highest that can be read here; "
                + "update proctor, or record with an older client")
        let journal = TraceVerifier.seen("{\"journal\":\"proctor\",\"version\":1}\n{\"ev\":\"requestHead\"}\n")
        #expect(
            journal.errors.map(\.description) == [
                "t.jsonl:1:1: this is the journal of a server; expected the trace of a client"
            ])
    }

    @Test func `an empty file has no events`() {
        for text in ["", "\n", "\u{FEFF}", "  \r\n\n"] {
            let seen = TraceVerifier.seen(text)
            #expect(seen.items.isEmpty && seen.format == nil && !seen.isCut)
        }
    }
}

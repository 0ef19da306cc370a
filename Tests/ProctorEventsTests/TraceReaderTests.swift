import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// What goes through the whole vocabulary or all bytes; the tables are in Tests/Data/readers/traces.
struct TraceReaderTests {
    private let header =
        #"{"trace":"proctor","version":1,"client":"urlsession-corelibs","clientVersion":"6.3.1","clock":"monotonic","#
        + #""unit":"ns","lanes":["task","session","handler","harness"],"scenario":"a/b","case":"c","run":"r1"}"#

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

    @Test func `only the first unknown names are compared with all others`() {
        let bad = TraceVerifier.read([Array(String(repeating: "{\"ev\":\"dta\"}\n", count: 100).utf8)], 1_000)
        #expect(bad.errors.count == 100)
        #expect(bad.errors.filter { $0.sentence == "unknown event 'dta'; did you mean 'data'?" }.count == 32)
        #expect(bad.errors.allSatisfy { $0.sentence.hasPrefix("unknown event 'dta'; ") })
    }

    @Test func `a log may hold any bytes`() {
        var generator = SeededGenerator(seed: 9)
        let words = [
            "connection:didReceiveResponse:", "URLSession:task:", "(_:", ")", "200", " ", "task=", "Domain=", "Code=",
            "-", "\u{0}", "é", "[", "1:", "]",
        ]
        for _ in 0..<300 {
            var bytes: [UInt8] = [UInt8(ascii: "x")]
            for _ in 0..<12 {
                if let word = words.randomElement(using: &generator) { bytes += word.utf8 }
                if Bool.random(using: &generator) { bytes.append(.random(in: 0...255, using: &generator)) }
            }
            let whole = TraceVerifier.read([bytes], 1_000)
            #expect(TraceVerifier.read(bytes.map { [$0] }, 1_000) == whole)
        }
    }

    // MARK: Strict reading

    private static let strictHeader = #"{"trace":"proctor","version":1,"lanes":["harness"]}"#

    private func read(_ lines: [String], isStrict: Bool) -> TraceReadingError? {
        do throws(TraceReadingError) {
            _ = try Trace(Array(lines.joined(separator: "\n").utf8), file: "t", isStrict: isStrict)
            return nil
        } catch {
            return error
        }
    }

    @Test func `every kind of fact has its type`() {
        for key in FactKey.allCases where key != .error {
            let values: [FactValue] = [.integer(1), .text("a"), .flag(true)]
            let permitted = values.filter { value in
                let text =
                    switch value {
                    case .integer: "1"
                    case .text: "\"a\""
                    case .flag: "true"
                    }
                return read(
                    [Self.strictHeader, "{\"ev\":\"result\",\"facts\":{\"\(key.rawValue)\":\(text)}}"], isStrict: true)
                    == nil
            }
            #expect(permitted.count == (key == .cachedStatus ? 2 : 1), "\(key): \(permitted)")
        }
    }
}

import ProctorEvents
import ProctorTestSupport
import Testing

struct TraceWriterTests {
    @Test func `an event is one line of JSON`() {
        let event = TraceEvent(
            sequence: 7, time: .monotonic(81_230_012_000_000), lane: .task, task: 1, object: 2, name: .redirect,
            argument: "302", phase: .exit, queue: "D", thread: "t3", family: .sessionData,
            facts: [EventFact(.to, .text("/b")), EventFact(.n, .integer(-5)), EventFact(.accepts, .flag(true))])
        #expect(
            String(decoding: TraceWriter.line(event), as: UTF8.self)
                == #"{"seq":7,"ns":81230012000000,"lane":"task","task":1,"object":2,"ev":"redirect","arg":"302","#
                + #""phase":"exit","queue":"D","thread":"t3","family":"US","facts":{"to":"/b","n":-5,"accepts":true}}"#
                + "\n")
    }

    @Test func `unknown values are left out`() {
        let lines = [
            TraceEvent(lane: .proto, name: .pStart),
            TraceEvent(time: .elsewhere(12.5), lane: .task, name: .data),
            TraceEvent(time: .elsewhere(.infinity), lane: .task, name: .data),
        ].map { String(decoding: TraceWriter.line($0), as: UTF8.self) }
        #expect(
            lines == [
                "{\"lane\":\"proto\",\"ev\":\"p.start\"}\n", "{\"ms\":12.5,\"lane\":\"task\",\"ev\":\"data\"}\n",
                "{\"lane\":\"task\",\"ev\":\"data\"}\n",
            ])
    }

    @Test func `headers are read back as they were`() throws {
        let headers = [
            TraceHeader(),
            TraceHeader(
                client: "c\"l", clientVersion: "6.3.1", isMonotonic: false, lanes: [.harness], scenario: "a/b",
                caseName: "é\n", run: "r"),
            TraceHeader(client: "c", facts: [.status, .url, .bytes]), TraceHeader(facts: []),
        ]
        for header in headers {
            let trace = try Trace(TraceWriter.line(header))
            #expect(trace.header == header && trace.lanes == header.lanes && trace.events.isEmpty)
        }
    }

    @Test func `generated events are read back as they were`() throws {
        var generator = SeededGenerator(seed: 4)
        var events: [TraceEvent] = []
        for sequence in 1...3_000 { events.append(.random(sequence, &generator)) }
        var bytes = TraceWriter.line(TraceHeader(client: "generated"))
        for event in events { TraceWriter.appendEvent(event, to: &bytes) }
        let trace = try Trace(bytes)
        #expect(trace.events.count == events.count)
        for (read, written) in zip(trace.events, events) { #expect(read == written) }
        // In pieces of every size.
        for size in [1, 7, 64, 1_000, 4_096] {
            var pieces: [[UInt8]] = []
            var start = 0
            while start < bytes.count {
                pieces.append(Array(bytes[start..<min(start + size, bytes.count)]))
                start += size
            }
            #expect(TraceVerifier.read(pieces, 1 << 20).events == events, "in pieces of \(size)")
        }
    }
}

extension TraceEvent {
    /// Any event, with a family, so that nothing has to be filled in when it is read.
    fileprivate static func random(_ sequence: Int, _ generator: inout SeededGenerator) -> TraceEvent {
        let kind = EventVocabulary.kinds.randomElement(using: &generator)
        let lane = kind?.lanes.randomElement(using: &generator) ?? .task
        var facts: [EventFact] = []
        for key in FactKey.allCases.shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator)) {
            let values: [FactValue] = [
                .integer(.random(in: .min ... .max, using: &generator)), .flag(.random(using: &generator)),
                .text(.random(&generator)),
            ]
            facts.append(EventFact(key, values[sequence % 3]))
        }
        // Domain and code would give an outcome its name.
        facts.removeAll { $0.key == .domain }
        let times: [Time?] = [
            nil, .monotonic(.random(in: 0 ... .max, using: &generator)),
            .elsewhere(Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 64),
            .elsewhere(.random(in: 0...1e300, using: &generator)),
        ]
        return TraceEvent(
            sequence: sequence, time: times[sequence % 4], lane: lane, task: .random(in: 0...3, using: &generator),
            object: Bool.random(using: &generator) ? .random(in: 0...100_000, using: &generator) : nil,
            name: kind?.event ?? .data, argument: Bool.random(using: &generator) ? .random(&generator) : nil,
            phase: Bool.random(using: &generator) ? .enter : .exit,
            queue: Bool.random(using: &generator) ? .random(&generator) : nil,
            thread: Bool.random(using: &generator) ? "t\(sequence % 5)" : nil,
            family: CallbackFamily.allCases.randomElement(using: &generator), facts: EventFacts(facts))
    }
}

extension String {
    fileprivate static func random(_ generator: inout SeededGenerator) -> String {
        let letters: [Character] = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\r", "\t", "\u{0}", "\u{1F}", "\u{7F}", "é", "€", "😀",
            "\u{FEFF}",
            "\u{2028}", "{", "}", "é",
        ]
        let count = [0, 1, 3, 9, 15, 16, 17, 40, 300].randomElement(using: &generator) ?? 0
        return String((0..<count).map { _ in letters.randomElement(using: &generator) ?? "a" })
    }
}

import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Peers that hold on to the server by saying little or nothing.
@Suite(.limit(minutes: 5))
struct SilenceTests {
    @Test func `peers that send their heads byte by byte are ended by the limit, and others are served`() async throws {
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            // Long enough for an honest peer's head, however late its thread has a turn between two calls.
            configuration.limits.headDuration = .seconds(2)
        }
        try await withRun(always("{ status: 200, body: ok }"), configure: configure) { run in
            let base = run.base
            let (answers, time) = try await onThread {
                try timed {
                    let end = ContinuousClock.now + Patience.whole
                    var answers: [String] = []
                    var open = try (0..<300).map { _ in try Wire(to: base) }
                    while !open.isEmpty, ContinuousClock.now < end {
                        // A peer that was ended can't send, or has something to read.
                        open = open.filter { (try? $0.send("a")) != nil && $0.isSilent(milliseconds: 0) }
                        let honest = try Wire(to: base)
                        try honest.send(.request("GET /"))
                        answers.append(try honest.readReply())
                        honest.close()
                    }
                    return answers
                }
            }
            #expect(Set(answers) == ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"])
            #expect(time >= .seconds(2) && time < Patience.whole)
            let lines = try await run.journal.lines(untilClosed: 300 + answers.count)
            #expect(lines.count { $0.hasSuffix(" closed by server: timedOut") } == 300)
        }
    }

    struct Silence: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: String

        init(_ testDescription: String, _ bytes: String) {
            self.testDescription = testDescription
            self.bytes = bytes
        }
    }

    static let silences = [
        Silence("before the first byte", ""), Silence("in a request line", "GE"),
        Silence("after an empty line", "\r\n"),
        Silence("in a head", "GET / HTTP/1.1\r\nHost:"),
        Silence("in a body", .request("PUT /", "Content-Length: 10") + "abc"),
        Silence("in a chunk line", .request("PUT /", "Transfer-Encoding: chunked") + "5;a"),
        Silence("in a chunk", .request("PUT /", "Transfer-Encoding: chunked") + "5\r\nab"),
        Silence("in trailers", .request("PUT /", "Transfer-Encoding: chunked") + "0\r\nA"),
        Silence("before a 100", .request("PUT /", "Content-Length: 10", "Expect: 100-continue")),
        Silence("after a reply", .request("GET /")),
        Silence("in the second head", .request("GET /") + "GET"),
        Silence("while a reply of 64 MiB comes", .request("GET /large")),
    ]

    @Test(arguments: silences, [false, true])
    func `peers that go silent, or half-close and go silent, hold nothing for long`(
        _ silence: Silence, isHalfClosed: Bool
    ) async throws {
        // Long enough for our thread to say what it has to say, and FIN, before it counts as silent.
        let duration = Duration.seconds(1)
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            configuration.limits.headDuration = duration
            configuration.limits.idleDuration = duration
            configuration.limits.progressDuration = duration
            configuration.limits.lingerDuration = duration
        }
        try await withRun(CrowdTests.smallAndLarge, configure: configure) { run in
            let base = run.base
            let wires = try await onThread {
                try (0..<10).map { _ in
                    let wire = try Wire(to: base, receiveByteCount: 4_096)
                    try wire.send(silence.bytes)
                    if isHalfClosed { wire.finish() }
                    return wire
                }
            }
            let lines = try await run.journal.lines(untilClosed: 10)
            let endings = lines.filter { $0.contains(" closed by ") }
            #expect(endings.count == 10)
            let isTimeUp = !isHalfClosed || silence.testDescription.hasPrefix("while a reply")
            #expect(endings.allSatisfy { $0.hasSuffix(" timedOut") == isTimeUp }, "\(endings)")
            for wire in wires { wire.close() }
        }
    }
}

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

    @Test(arguments: [false, true])
    func `peers that go silent while a long reply comes hold nothing for long`(isHalfClosed: Bool) async throws {
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            // Long enough for our thread to say what it has to say, and FIN, before it counts as silent.
            configuration.limits.progressDuration = .seconds(1)
        }
        try await withRun(CrowdTests.smallAndLarge, configure: configure) { run in
            let base = run.base
            let wires = try await onThread {
                try (0..<10).map { _ in
                    let wire = try Wire(to: base, receiveByteCount: 4_096)
                    try wire.send(.request("GET /large"))
                    if isHalfClosed { wire.finish() }
                    return wire
                }
            }
            let lines = try await run.journal.lines(untilClosed: 10)
            #expect(lines.count { $0.contains(" closed by ") && $0.hasSuffix(" timedOut") } == 10, "\(lines)")
            for wire in wires { wire.close() }
        }
    }
}

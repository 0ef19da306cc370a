import ProctorHTTP
import ProctorTrace
import Testing

@testable import ProctorGrading

struct WireTimelineTests {
    @Test func `every entry is one line`() throws {
        var script = JournalScript()
        script.open()
        try script.request("POST /form", fields: ["Host: x", "Content-Length: 3"], body: "a=1")
        script.add(.exchangeChosen(exchange: 0, turn: 2), request: 0)
        script.wait(milliseconds: 50)
        script.add(.effectPlayed(action: "wait 50ms", position: "head"), request: 0)
        script.add(.replySent(status: 302, byteCount: 90), request: 0)
        script.skip(2)
        script.add(.missed(Miss(nearestExchange: 0, differences: ["the path is /b"])), request: 1)
        script.add(.replySent(status: nil, byteCount: 1), request: 1)
        script.add(.replyAborted(sentByteCount: 12, reason: "the client reset the connection"), request: 12)
        script.wait(milliseconds: 123_456)
        script.close(0, by: .client, .reset)
        #expect(
            WireTimeline(script.entries).description == """
                    0.000 ms  c0       opened by 127.0.0.1:50 to 127.0.0.1:8088 (main)
                    0.000 ms  c0  r0   POST /form HTTP/1.1, 2 fields
                    0.000 ms  c0  r0   body of 3 bytes "a=1"
                    0.000 ms  c0  r0   exchange 0, turn 2
                   50.000 ms  c0  r0   wait 50ms at head
                   50.000 ms  c0  r0   replied 302, 90 bytes
                … 2 entries missing
                   50.000 ms  c0  r1   no exchange matches; nearest is 0: the path is /b
                   50.000 ms  c0  r1   replied 1 byte
                   50.000 ms  c0  r12  reply broken off after 12 bytes: the client reset the connection
                123506.000 ms  c0       reset by the client
                """)
    }

    @Test func `violations and cut bodies are told`() {
        var script = JournalScript()
        let violation = Violation(.bareLF, at: 3)
        let fatal = Violation(.badChunkSize, at: 4)
        script.add(.violation(violation), on: 3)
        script.add(.violation(fatal), on: 3)
        script.add(
            .requestBody(
                RequestBody(kept: [0xFF, 0x0A], byteCount: 9, isComplete: false, trailers: [[0x41], [0x42]])), on: 3)
        #expect(
            WireTimeline(script.entries).lines == [
                "    0.000 ms  c3       violation: \(violation)", "    0.000 ms  c3       refused: \(fatal)",
                "    0.000 ms  c3       body of 9 bytes, cut short, 2 trailers \"\\xFF\\n\"",
            ])
    }

    @Test func `chunks are counted, and a 100 is told`() {
        var script = JournalScript()
        script.add(.continueSent, request: 0)
        script.add(
            .requestBody(RequestBody(kept: [0x61], byteCount: 1, isComplete: true, trailers: [], chunks: [1])),
            request: 0)
        script.add(
            .requestBody(RequestBody(kept: [], byteCount: 9, isComplete: false, trailers: [], chunks: [4, 8])),
            request: 1)
        #expect(
            WireTimeline(script.entries).lines == [
                "    0.000 ms  c0  r0   told to continue: 100",
                "    0.000 ms  c0  r0   body of 1 byte in 1 chunk \"a\"",
                "    0.000 ms  c0  r1   body of 9 bytes in 2 chunks, cut short",
            ])
    }

    @Test func `an empty journal has no lines`() {
        #expect(WireTimeline([]).lines.isEmpty)
    }
}

import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Portions at fixed moments: never early, all there, and how many.
struct PaceTests {
    /// What came, and how long it took from the request on: a busy client may see the first byte late.
    private func timedPieces(_ reply: String, _ request: String = .request("GET /", "Connection: close")) async throws
        -> (pieces: [[UInt8]], took: Duration)
    {
        try await withRun(always(reply)) { run in
            try await talk(to: run.base) { wire in
                try timed {
                    try wire.send(request)
                    return try wire.readPieces()
                }
            }
        }
    }

    @Test(arguments: ["framing: length", "framing: { chunked: [ 70000 ] }"])
    func `long content that is not in memory keeps its pace`(framing: String) async throws {
        let got = try await timedPieces(
            "{ status: 200, \(framing), body: { pattern: offset, bytes: 300000 }, pace: { bytes: 100000, every: 30ms } }"
        )
        let bytes = Array(got.pieces.joined())
        #expect(bytes.count > 300_000)
        #expect(got.took >= .milliseconds(55))
        if framing == "framing: length" {
            let body = bytes.suffix(300_000)
            let isRight = body.enumerated().allSatisfy { offset, byte in
                byte == UInt8(truncatingIfNeeded: (UInt64(offset) &* 0x9E37_79B9_7F4A_7C15) >> 56)
            }
            #expect(isRight)
        }
    }
}

import ProctorHTTP2
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorEvents
@testable import ProctorServer

/// Requests of HTTP/2 that were made up before their client could know of a reply, and those that were not.
@Suite(.limit(minutes: 5))
struct CookieUnderWayStreamTests {
    private static let yaml = CookieUnderWayTests.yaml
        .replacing("head 20", with: "body 1")
        .replacing("exchanges:", with: "origins: { main: { protocols: [h2] } }\nexchanges:")

    @Test func `requests in one write with the one before them`() async throws {
        try await withRun(Self.yaml) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                let first = try frames.block([
                    (":method", "GET"), (":scheme", "http"), (":authority", "a"), (":path", "/plain"),
                ])
                let second = try frames.block([
                    (":method", "GET"), (":scheme", "http"), (":authority", "a"), (":path", "/x"),
                ])
                try frames.send(
                    .headers(first, on: 1, endsStream: true), .headers(second, on: 3, endsStream: true))
                _ = try frames.reply(on: 1)
                try frames.request("GET /x", on: 5)
                _ = try frames.reply(on: 5)
            }
            let lines = try await CookieUnderWayTests.cookieLines(run, count: 2)
            #expect(lines == ["c0 r0 cookies set: stored", "c0 r2 cookies missing"])
        }
    }

    @Test func `frames without a request that wait while the reply goes out leave the next request known`() async throws
    {
        try await withRun(Self.yaml) { run in
            run.expectsReports = true
            let wire = try await CookieUnderWayTests.connect(run)
            let frames = try await onThread {
                let frames = try FrameWire(wire)
                try frames.request("GET /held")
                return frames
            }
            try await CookieUnderWayTests.held(run)
            run.reached(event: .response)
            try await onThread {
                for number in 0..<50 { try frames.send(.ping([UInt8](repeating: UInt8(number), count: 8))) }
                _ = try frames.reply()
                try frames.request("GET /x", on: 3)
                _ = try frames.reply(on: 3)
                wire.close()
            }
            let lines = try await CookieUnderWayTests.cookieLines(run, count: 2)
            #expect(lines == ["c0 r0 cookies set: stored", "c0 r1 cookies missing"])
        }
    }
}

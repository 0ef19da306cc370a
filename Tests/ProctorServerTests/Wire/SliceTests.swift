import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// A program that reads with far more room than it needs gets one slice at a time.
struct SliceTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let reply: String
        /// With a bar at every cut.
        let wire: String
        var testDescription: String { reply }
    }

    private static let rows: [Row] = [
        Row(
            reply: "{ status: 200, body: 0123456789, slice: [ 1, 7, 38, 40, 100 ] }",
            wire: "H|TTP/1.|1 200 OK\r\nContent-Length: 10\r\n\r|\n0|123456789"),
        Row(
            reply: "{ status: 200, body: 0123456789, slice: { size: 20 } }",
            wire: "HTTP/1.1 200 OK\r\nCon|tent-Length: 10\r\n\r\n0|123456789"),
        Row(
            reply: "{ status: 200, framing: { chunked: [ 17 ] }, body: 0123456789abcdefg, slice: mid-crlf }",
            wire: "HTTP/1.1 200 OK\r|\nTransfer-Encoding: chunked\r|\n\r|\n11\r|\n0123456789abcdefg\r|\n0\r|\n\r|\n"),
        Row(
            reply: "{ status: 200, framing: { chunked: [ 17 ] }, body: 0123456789abcdefg, slice: mid-chunk-size }",
            wire: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1|1\r\n0123456789abcdefg\r\n0|\r\n\r\n"),
        Row(
            reply: "{ status: 200, body: \"a\u{E9}b\u{20AC}\", slice: mid-utf8 }",
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\naé|b€"),
        Row(
            reply: "{ raw: \"HTTP/1.1 200 OK\\r\\n\\r\\nabc\", slice: [ 3, 20 ] }", wire: "HTT|P/1.1 200 OK\r\n\r\na|bc"
        ),
        Row(
            reply: "{ raw: \"HTTP/1.1 200 OK\\r\\n\\r\\nabc\", slice: mid-crlf }", wire: "HTTP/1.1 200 OK\r|\n\r|\nabc"),
        Row(
            reply: "{ status: 200, body: 0123456789, interim: [ 100 ], slice: [ 25, 30 ] }",
            wire: "HTTP/1.1 100 Continue\r\n\r\n|HTTP/|1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789"),
    ]

    @Test(arguments: rows)
    func `each read gives one slice`(_ row: Row) async throws {
        try await withRun(always(row.reply)) { run in
            let pieces = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /", "Connection: close"))
                return try wire.readPieces()
            }
            // Only a character's bytes can't be marked in text: é and € are cut after their first byte.
            let wanted =
                row.reply.contains("mid-utf8") ? Self.utf8Pieces : row.wire.utf8.split(separator: 124).map { Array($0) }
            #expect(pieces.map { Self.text($0) } == wanted.map { Self.text($0) })
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 slices \(wanted.count) by queue"))
        }
    }

    private static let utf8Pieces: [[UInt8]] = [
        Array("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\na".utf8) + [0xC3], [0xA9, 0x62, 0xE2], [0x82, 0xAC],
    ]

    private static func text(_ bytes: [UInt8]) -> String {
        bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : "\(bytes)"
    }

    @Test func `every byte can come alone`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789"
        try await withRun(always("{ status: 200, body: 0123456789, slice: every-byte }")) { run in
            let pieces = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /", "Connection: close"))
                return try wire.readPieces()
            }
            #expect(pieces == head.utf8.map { [$0] })
        }
    }

    @Test(arguments: ["{ pattern: offset, bytes: 300000 }", "{ repeat: ab, bytes: 300000 }"])
    func `generated content is cut too, the same for the same seed`(body: String) async throws {
        let plain = always("{ status: 200, body: \(body) }")
        let whole = try await withRun(plain) { run in try await exchange(.request("GET /"), with: run.base) }
        let yaml = always("{ status: 200, body: \(body), slice: { random: 7, count: 9 } }")
        try await withRun(yaml) { run in
            let pieces = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /", "Connection: close"))
                return try wire.readPieces()
            }
            #expect(Array(pieces.joined()) == whole.bytes)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 slices 9 by queue"))
            // A long slice may come in several reads, but none reaches over a cut.
            var random = SplitMix64(seed: 7)
            let cuts = Set((0..<8).map { _ in random.next(in: 1..<whole.bytes.count) })
            let ends = Set(pieces.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) })
            #expect(cuts.count == 8 && cuts.isSubset(of: ends))
        }
    }

    @Test func `bytes of an effect are not counted`() async throws {
        let reply = "{ status: 200, body: ab, slice: [ 39 ], effects: [ { at: body 1, do: send <<< } ] }"
        try await withRun(always(reply)) { run in
            let pieces = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /", "Connection: close"))
                return try wire.readPieces().map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(pieces.joined() == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na<<<b")
            #expect(pieces.last == "b")
        }
    }

    @Test func `a peer that does not read keeps the next slice back`() async throws {
        let reply = "{ status: 200, body: abcdef, slice: [ 41 ], headers: { X: y } }"
        try await withRun(always(reply)) { run in
            let seen = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /", "Connection: close"))
                // The first slice stands in the queue; what is peeked at is not read.
                let first = try wire.read(1)
                let isWaiting = run.journal.lines.allSatisfy { !$0.contains("sent 200") }
                let rest = try wire.readToEnd()
                return (first, isWaiting, rest)
            }
            #expect(seen.0 == Array("H".utf8) && seen.1)
            #expect(seen.2.text == "TTP/1.1 200 OK\r\nX: y\r\nContent-Length: 6\r\n\r\nabcdef")
        }
    }

    @Test func `a run can be cut anew by a seed, but for replies that have a schedule of their own`() async throws {
        let yaml = """
            summary: cut anew
            exchanges:
              - { request: GET /plain, reply: { status: 200, body: 0123456789 } }
              - { request: GET /raw, reply: { raw: "HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\n0123456789" } }
              - { request: GET /own, reply: { status: 200, body: 0123456789, slice: [ 3 ] } }
              - { request: GET /paced, reply: { status: 200, body: 0123456789, pace: { bytes: 50, every: 1ms } } }
            """
        let scenario = try scenario(yaml)
        let seen = try await withServer([scenario]) { server in
            var seen: [String: [[String]]] = [:]
            for seed: UInt64 in [1, 1, 2] {
                let run = try await server.run("test/one", reslice: seed)
                for path in ["plain", "raw", "own", "paced"] {
                    let pieces = try await talk(to: run.base) { wire in
                        try wire.send(.request("GET /\(path)", "Connection: close"))
                        return try wire.readPieces().map { String(decoding: $0, as: UTF8.self) }
                    }
                    seen[path, default: []].append(pieces)
                }
            }
            return seen
        }
        let whole = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789"
        for (path, rounds) in seen { #expect(rounds.allSatisfy { $0.joined() == whole }, "\(path)") }
        for path in ["plain", "raw"] {
            let rounds = try #require(seen[path])
            #expect((5...12).contains(rounds[0].count) && rounds[0] == rounds[1] && rounds[0] != rounds[2])
        }
        #expect(seen["own"]?.allSatisfy { $0 == ["HTT", String(whole.dropFirst(3))] } == true)
        #expect(seen["paced"]?.allSatisfy { $0.count <= 2 } == true)
    }
}

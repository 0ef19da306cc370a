import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite(.limit(minutes: 5))
struct SocketWritingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pieces: [[UInt8]]
    }

    static let rows = [
        Row(testDescription: "nothing", pieces: []),
        Row(testDescription: "only empty pieces", pieces: [[], [], []]),
        Row(testDescription: "empty pieces between others", pieces: [[], pattern(5), [], [], pattern(7), []]),
        Row(testDescription: "more pieces than one call takes", pieces: (0..<100).map { pattern($0) }),
        Row(
            testDescription: "sixteen empty pieces before the first byte",
            pieces: Array(repeating: [], count: 16) + [[9]]),
        Row(testDescription: "one large piece", pieces: [pattern(500_000)]),
        Row(testDescription: "large and small pieces", pieces: (0..<40).map { pattern($0 % 2 == 0 ? 20_001 : 3) }),
    ]

    @Test(.wide, arguments: rows)
    func `a vectored write through narrow buffers arrives whole`(row: Row) async throws {
        let got = try await onLoop { loop in
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            async let got = pair.peer.takeAll()
            try await pair.ours.write(row.pieces, within: patience)
            pair.ours.halfClose()
            return try await got
        }
        #expect(got == Array(row.pieces.joined()))
    }

    @Test func `a write larger than the buffers arrives whole`() async throws {
        let sent = pattern(400_000)
        let got = try await onLoop { loop in
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            async let got = pair.peer.takeAll()
            try await pair.ours.write(sent, within: patience)
            pair.ours.halfClose()
            return try await got
        }
        #expect(got == sent)
    }

    @Test func `a file is sent from its offset through narrow buffers`() async throws {
        let path = temporaryPath("sendfile")
        let content = pattern(300_000)
        try write(content, to: path)
        defer { unsafe unlink(path) }
        let (got, counts) = try await onLoop { loop in
            let file = try OpenFile(path: path)
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            async let got = pair.peer.takeAll()
            var offset = 1000
            var counts: [Int] = []
            while true {
                let count = try await pair.ours.sendSome(
                    of: file, from: offset, byteCount: 1 << 20, within: patience)
                counts.append(count)
                if count == 0 { break }
                offset += count
            }
            pair.ours.halfClose()
            return (try await got, counts)
        }
        #expect(got == Array(content[1000...]))
        #expect(counts.count > 2)
    }

    @Test func `bytes that the peer does not take stay unacknowledged`() async throws {
        let (whileUnread, afterwards) = try await onLoop { loop in
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            let sum = try await pair.ours.fill()
            let whileUnread = try #require(pair.ours.unacknowledgedByteCount)
            _ = try await pair.peer.take(sum)
            // The acknowledgement comes when it comes; it is waited for as the server does.
            let end = MonotonicClock.nanoseconds + patience
            while pair.ours.unacknowledgedByteCount != 0, MonotonicClock.nanoseconds < end {
                await loop.sleep(for: .milliseconds(1))
            }
            return (whileUnread, pair.ours.unacknowledgedByteCount)
        }
        #expect(whileUnread > 0)
        #expect(afterwards == 0)
    }

    @Test func `writing to a closed peer is an error and no signal`() async throws {
        await #expect(processExitsWith: .success) {
            await recordingErrors {
                _ = signal(SIGPIPE, SIG_DFL)
                let path = temporaryPath("epipe")
                try write(pattern(1000), to: path)
                defer { unsafe unlink(path) }
                let codes = try await onLoop { loop in
                    var codes: [Int32?] = []
                    for kind in 0..<3 {
                        let pair = try await Pair.make(on: loop)
                        defer { pair.close() }
                        pair.peer.close()
                        codes.append(try await writeUntilRefused(pair.ours, kind: kind, path: path))
                        // Once more: the first error was ECONNRESET, the second must be EPIPE.
                        codes.append(try await writeUntilRefused(pair.ours, kind: kind, path: path))
                    }
                    return codes
                }
                #expect(codes.count == 6, "\(codes)")
                #expect(codes.allSatisfy { $0 == ECONNRESET || $0 == EPIPE }, "\(codes)")
                #expect(codes.contains(EPIPE), "\(codes)")
            }
        }
    }

    @Test func `writing after our own FIN is an error but no reset`() async throws {
        let (code, wasReset) = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            pair.ours.halfClose()
            let code = try await writeUntilRefused(pair.ours, kind: 0, path: #filePath)
            return (code, pair.ours.wasReset)
        }
        #expect(code == EPIPE)
        #expect(!wasReset)
    }
}

/// The code that writing ends with: plain, vectored or from a file.
private func writeUntilRefused(_ socket: Socket, kind: Int, path: String) async throws -> Int32 {
    let file = try OpenFile(path: path)
    do throws(SocketError) {
        while true {
            switch kind {
            case 0: try await socket.write([1, 2, 3], within: patience)
            case 1: try await socket.write([[1], [2, 3]], within: patience)
            default: _ = try await socket.sendSome(of: file, from: 0, byteCount: 3, within: patience)
            }
        }
    } catch {
        guard case .failed(let failure) = error else { throw error }
        return failure.code
    }
}

/// Makes a file with this content.
func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw CallFailure.system("open \(path)") }
    defer { close(descriptor) }
    let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    guard count == bytes.count else { throw CallFailure.system("write \(path)") }
}

@Suite(.limit(minutes: 5))
struct BackPressureTests {
    @Test func `a peer that does not read stops us at what the system buffers`() async throws {
        let (first, second) = try await onLoop { loop in
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            return (try await pair.ours.fill(), try await pair.ours.fill())
        }
        #expect(first > 0)
        #expect(first < 4 << 20)
        // Once full, it stays full.
        #expect(second < 65_536)
    }

    @Test func `200 MiB from a peer to a socket that is read late cost no memory`()
        async throws
    {
        // In a process of its own: other tests would show in its memory.
        await #expect(processExitsWith: .success) {
            await recordingErrors {
                let (stalledAt, stalledGrowth, total, growth) = try await onLoops(2) { loops in
                    let pair = try await Pair.make(on: loops[0], peerOn: loops[1])
                    let peerLoop = loops[1]
                    let piece = pattern(1 << 20)
                    let before = ProcessFacts.residentByteCount
                    let stalledAt = try await peerLoop.run { try await pair.peer.fill() }
                    let stalledGrowth = ProcessFacts.residentByteCount - before
                    let writer = Task(executorPreference: peerLoop) {
                        for _ in 0..<200 { try await pair.peer.write(piece, within: patience) }
                        pair.peer.close()
                    }
                    var total = 0
                    while let count = try await pair.ours.read(within: patience, { $0.count }) { total += count }
                    try await writer.value
                    pair.ours.close()
                    return (stalledAt, stalledGrowth, total, ProcessFacts.residentByteCount - before)
                }
                #expect(stalledAt < 32 << 20, "the system took \(stalledAt) bytes")
                #expect(stalledGrowth < 8 << 20, "memory grew by \(stalledGrowth) bytes while nobody read")
                #expect(total == stalledAt + 200 << 20, "\(total) bytes came, \(stalledAt) before the others")
                #expect(growth < 16 << 20, "memory grew by \(growth) bytes over 200 MiB")
            }
        }
    }

    @Test func `an idle connection holds little memory`() async throws {
        await #expect(processExitsWith: .success) {
            await recordingErrors {
                let growth = try await onLoop { loop in
                    // The first ones make what all share.
                    let warm = try await Pair.make(on: loop)
                    warm.close()
                    let before = ProcessFacts.residentByteCount
                    var pairs: [Pair] = []
                    for _ in 0..<500 { pairs.append(try await Pair.make(on: loop)) }
                    let growth = ProcessFacts.residentByteCount - before
                    for pair in pairs { pair.close() }
                    return growth
                }
                #expect(growth / 1000 < 8192, "\(growth / 1000) bytes a socket")
            }
        }
    }
}

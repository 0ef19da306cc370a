import ProctorBase
import Testing

@testable import ProctorLoop

@Suite(.timeLimit(.minutes(5)))
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

    @Test func `a peer that sends 200 MiB to a socket nobody reads, then read at leisure, costs no memory`()
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

import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

@Suite(.limit(minutes: 5))
struct LeakTests {
    @Test func `after 10,000 connections ended in every way the process has the descriptors it began with`()
        async throws
    {
        // In a process of its own: other tests open descriptors at any time.
        await #expect(processExitsWith: .success) {
            await recordingErrors {
                // Once, for what the process makes at first use and keeps.
                _ = try await onLoops(2) {
                    try await ConnectionMill(loops: $0).grind(workers: 2, each: Ending.allCases.count)
                }
                let before = ProcessFacts.openDescriptorCount
                let tally = try await onLoops(2) { loops in
                    let mill = ConnectionMill(loops: loops)
                    let tally = try await mill.grind(workers: 64, each: 160)
                    let counts = try await mill.handleCounts()
                    #expect(counts == [0, 0], "\(counts) handles are open")
                    return tally
                }
                let after = try await ProcessFacts.openDescriptorCount(wanting: before)
                #expect(after == before, "\(after) descriptors after, \(before) before")
                let count = tally.values.reduce(0, +)
                #expect(count == 64 * 160, "\(count) connections")
                for ending in Ending.allCases { #expect(tally[ending, default: 0] >= 640, "\(ending)") }
            }
        }
    }

    @Test func `a loop gives all its descriptors back`() async throws {
        await #expect(processExitsWith: .success) {
            await recordingErrors {
                try await onLoop { _ in }
                let before = ProcessFacts.openDescriptorCount
                for _ in 0..<50 {
                    try await onLoop { loop in
                        try SignalSource([10, 12], on: loop).close()
                        try FileWatcher(path: "/tmp", on: loop).close()
                        await loop.sleep(for: .milliseconds(1))
                    }
                }
                let after = try await ProcessFacts.openDescriptorCount(wanting: before)
                #expect(after == before, "\(after) descriptors after, \(before) before")
            }
        }
    }
}

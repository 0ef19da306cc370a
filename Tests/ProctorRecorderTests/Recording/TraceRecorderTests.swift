import Foundation
import ProctorBase
import ProctorEvents
import ProctorTestSupport
import Testing

@testable import ProctorRecorder

@Suite(.limit(minutes: 5))
struct TraceRecorderTests {
    private final class Thing: Sendable {}

    private func event(_ name: EventName, _ argument: String? = nil) -> TraceEvent {
        TraceEvent(lane: .harness, name: name, argument: argument)
    }

    @Test func `events are numbered and timed here, whatever stands in them`() {
        let recorder = TraceRecorder()
        let before = MonotonicClock.nanoseconds
        recorder.record(TraceEvent(sequence: 99, time: .elsewhere(1), lane: .harness, name: .resume))
        recorder.record(event(.cancel))
        let events = recorder.events
        #expect(events.map(\.sequence) == [1, 2])
        for event in events {
            guard case .monotonic(let time)? = event.time else {
                Issue.record("no time")
                continue
            }
            #expect(before...MonotonicClock.nanoseconds ~= time)
        }
    }

    @Test func `objects are numbered by identity, each kind by itself`() {
        let recorder = TraceRecorder()
        let (first, second) = (Thing(), Thing())
        #expect(recorder.taskNumber(of: first) == 0)
        #expect(recorder.taskNumber(of: second) == 1)
        #expect(recorder.taskNumber(of: first) == 0)
        #expect(recorder.sessionNumber(of: second) == 0)
        #expect(recorder.objectNumber(of: second) == 0)
    }

    @Test func `an address that is used again is another object`() {
        let recorder = TraceRecorder()
        for number in 0..<100 {
            // Freed in each round, so that sooner or later an address comes again.
            #expect(recorder.taskNumber(of: Thing()) == number)
        }
    }

    @Test func `a number can be given, and later ones stand behind it`() {
        let recorder = TraceRecorder()
        let (first, second, third) = (Thing(), Thing(), Thing())
        recorder.assign(3, toTask: first)
        recorder.assign(3, toTask: second)
        #expect(recorder.taskNumber(of: first) == 3)
        #expect(recorder.taskNumber(of: second) == 3)
        #expect(recorder.taskNumber(of: third) == 4)
        recorder.reserveTaskNumbers(below: 9)
        let fourth = Thing()
        #expect(recorder.taskNumber(of: fourth) == 9)
    }

    @Test func `an object made out of sight gets the number taken for it, unless that is withdrawn`() {
        let recorder = TraceRecorder()
        let (first, second) = (Thing(), Thing())
        let (seen, unseen) = (recorder.takeTaskNumber(), recorder.takeTaskNumber())
        recorder.expectTask(seen)
        recorder.expectTask(unseen)
        recorder.withdrawTask(unseen)
        #expect(recorder.taskNumber(of: first) == seen)
        #expect(recorder.taskNumber(of: second) == 2)
    }

    @Test func `threads have labels of their own`() throws {
        let recorder = TraceRecorder()
        recorder.record(event(.resume))
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            recorder.record(event(.cancel))
            recorder.record(event(.cancel))
            done.signal()
        }
        try #require(done.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
        let labels = recorder.events.map(\.thread)
        #expect(labels.first != labels.last)
        #expect(labels[1] == labels[2])
    }

    @Test func `the limit is said by the last event`() {
        let recorder = TraceRecorder(limit: 3)
        for _ in 0..<5 { recorder.record(event(.resume)) }
        #expect(recorder.events.count == 3)
        #expect(recorder.events.last?.name == .unimplemented)
        #expect(recorder.events.last?.argument == "no more than 3 events are recorded")
        #expect(recorder.droppedCount == 2)
    }

    @Test func `every event is in the descriptor when record returns`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let recorder = TraceRecorder(writingTo: ends[1])
        recorder.write(TraceHeader(client: "me"))
        recorder.record(event(.answer, "follow"))
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe read(ends[0], &bytes, bytes.count)
        let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""trace":"proctor""#) == true)
        #expect(lines.last?.contains(#""arg":"follow""#) == true)
        #expect(recorder.writeFailure == nil)
    }

    @Test func `a failed write is remembered and ends the writing, not the recording`() {
        let recorder = TraceRecorder(writingTo: -1)
        recorder.record(event(.resume))
        recorder.record(event(.cancel))
        #expect(recorder.writeFailure?.code == EBADF)
        #expect(recorder.events.count == 2)
    }

    // MARK: Waiting

    @Test func `an event that is there already is found`() async {
        let recorder = TraceRecorder()
        recorder.record(event(.answer, "a"))
        let found = await recorder.event(within: Patience.whole) { $0.argument == "a" }
        #expect(found?.sequence == 1)
    }

    @Test func `an event to come is waited for`() async {
        let recorder = TraceRecorder()
        async let found = recorder.event(within: Patience.whole) { $0.argument == "b" }
        Thread.detachNewThread { [self] in
            recorder.record(event(.answer, "a"))
            recorder.record(event(.answer, "b"))
        }
        #expect(await found?.argument == "b")
    }

    @Test func `a wait has an end`() async {
        let recorder = TraceRecorder()
        #expect(await recorder.event(within: .milliseconds(20)) { _ in true } == nil)
    }

    @Test func `a wait ends in its own time, whatever others wait for`() async {
        let recorder = TraceRecorder()
        let other = Task { await recorder.event(within: .seconds(600)) { _ in true } }
        for _ in 0..<2 { #expect(await recorder.event(within: .milliseconds(20)) { _ in true } == nil) }
        recorder.record(event(.resume))
        #expect(await other.value != nil)
    }

    @Test func `a wait for events of a task passes over those of others`() async {
        let recorder = TraceRecorder()
        recorder.record(TraceEvent(lane: .harness, task: 1, name: .resume))
        async let found = recorder.event(of: 0, within: Patience.whole) { _ in true }
        for task in [2, 0] { recorder.record(TraceEvent(lane: .harness, task: task, name: .resume)) }
        #expect(await found?.task == 0)
    }

    @Test func `a cancelled wait ends at once`() async {
        let recorder = TraceRecorder()
        let waiting = Task { await recorder.event(within: .seconds(600)) { _ in true } }
        waiting.cancel()
        #expect(await waiting.value == nil)
    }

    @Test func `events of many threads are all there, in order`() async {
        let recorder = TraceRecorder()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [self] in
                    for _ in 0..<500 { recorder.record(event(.resume)) }
                }
            }
        }
        #expect(recorder.events.map(\.sequence) == Array(1...4_000))
    }
}

/// A body that is kept whole fits the line of a trace, whatever is in it.
struct KeptBodyTests {
    @Test(arguments: [0x61, 0x01, 0x22, 0x0A, 0x00, 0xFF] as [UInt8])
    func `a body of the greatest length that is kept can be read back`(byte: UInt8) throws {
        let bytes = [UInt8](repeating: byte, count: KeptBody.limit)
        let event = TraceEvent(lane: .harness, name: .result, facts: KeptBody(bytes, byteCount: bytes.count).facts)
        let line = TraceWriter.line(event)
        #expect(line.count < 1 << 20)
        var reader = TraceReader()
        var offset = 0
        let read = try #require(try reader.next(line.span, at: &offset))
        #expect(read.facts == event.facts)
    }

    @Test func `of a longer body only the length is told`() {
        let bytes = [UInt8](repeating: 0x61, count: KeptBody.limit + 1)
        let facts = KeptBody(bytes, byteCount: bytes.count).facts
        #expect(Array(facts) == [EventFact(.bytes, .integer(bytes.count))])
    }
}

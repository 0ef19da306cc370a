internal import ProctorBase
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// The source of a step's content, which is asked for piece by piece: it may wait, fail, or tell a length that it does not keep.
struct ProgramSource: Sendable {
    private let step: Assignment.Step
    private let record: StepRecord
    private let fault: SourceFault?
    private let content: [UInt8]

    init(_ step: Assignment.Step, of record: StepRecord, fault: SourceFault? = nil) {
        (self.step, self.record, self.fault) = (step, record, fault)
        var content = step.body?.content ?? []
        if let length = step.bodyLength {
            if fault == .cutsLongSource { content = Array(content.prefix(length)) }
            if fault == .fillsShortSource { content += Array(repeating: 0, count: max(0, length - content.count)) }
        }
        self.content = content
    }

    /// The source as a stream that is read once.
    func stream() -> BodyStream {
        let given = Locked(0)
        return BodyStream(byteCount: step.bodyLength) {
            let start = given.withLock { $0 }
            let piece = try await piece(from: start)
            given.withLock { $0 += piece?.count ?? 0 }
            return piece
        }
    }

    private static let pieceByteCount = 16_384
    /// How long a source waits for another step at most, in nanoseconds; the assignment ends before.
    private static let patience: UInt64 = 600_000_000_000

    /// The next piece; nil at the end.
    private func piece(from start: Int) async throws -> [UInt8]? {
        if let place = step.bodyFailsAt, start >= place {
            if fault == .endsWithFailure { return nil }
            throw Failure(description: "the source failed after \(start) bytes")
        }
        guard start < content.count else { return nil }
        var end = step.bodyFailsAt.map { min($0, content.count) } ?? content.count
        if let other = step.bodyAfter {
            let half = content.count / 2
            if start < half { end = min(end, half) }
            let limit = MonotonicClock.nanoseconds &+ Self.patience
            if start == half,
                await !record.recorder.waitForEnd(ofStep: other, before: limit)
            {
                throw Failure(description: "the source waited in vain for the end of step \(other)")
            }
        }
        if let turns = step.bodyTurns {
            end = min(end, start + Assignment.BodyTurns.byteCount)
            let awaited = turns == .echoed ? start : start + Assignment.BodyTurns.byteCount
            guard await record.arrived.wait(for: awaited) else {
                throw Failure(description: "the source waited in vain for \(awaited) bytes of the reply")
            }
        }
        return Array(content[start..<min(end, start + Self.pieceByteCount)])
    }

    /// Why a source gave no more.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}

/// A deliberate fault with sources of content, by the label of its breakage.
enum SourceFault: String, Sendable, CaseIterable {
    /// A source that fails is taken for one that has ended.
    case endsWithFailure = "failed-source-is-an-end"
    /// What a source gives beyond its length is left out.
    case cutsLongSource = "long-source-is-cut"
    /// What a source lacks of its length is filled up.
    case fillsShortSource = "short-source-is-filled"
}

/// A deliberate fault with limits of the session, by the label of its breakage.
enum LimitFault: String, Sendable, CaseIterable {
    case ignoresRedirectLimit = "redirect-limit-ignored"
    case followsOneMore = "redirect-limit-by-one"
    case followsCycles = "cycles-followed"
    case refusesCycles = "cycles-refused"
    case keepsNoMethod = "method-kept-never"
    case keepsBothMethods = "method-kept-by-both"
    case ignoresDecodedLimit = "decoded-limit-ignored"
    case decodesOneLess = "decoded-limit-by-one"
    case ignoresDecodedRatio = "decoded-ratio-ignored"
    case decodesHalf = "decoded-ratio-halved"
    case ignoresConnectTime = "connect-time-ignored"
    case boundsLoadByConnectTime = "connect-time-of-the-load"
    case ignoresIdleTime = "idle-time-ignored"
    case keepsNothing = "idle-time-of-nothing"
    case ignoresUses = "uses-ignored"
    case usesOnceMore = "uses-by-one"
}

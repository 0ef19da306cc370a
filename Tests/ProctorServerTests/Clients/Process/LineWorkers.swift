import ProctorBase
import ProctorTestSupport

/// Long-lived processes of one program that answer each line with a line; as many as are asked at once.
final class LineWorkers: Sendable {
    private let arguments: [String]
    /// Each in one hand at a time: taken out, used, put back.
    private let idle = Locked<[ChildProcess]>([])

    init(_ arguments: [String]) {
        self.arguments = arguments
    }

    /// Sends a line and returns the answer; a process that gives none in time is killed and never asked again.
    func ask(_ line: [UInt8], within limit: Duration) async throws -> [UInt8] {
        try await onThread { [self] in
            let worker = try idle.withLock { $0.popLast() } ?? ChildProcess(arguments, takesInput: true)
            try worker.write(line + [UInt8(ascii: "\n")], within: limit)
            let answer = try worker.readLine(within: limit)
            idle.withLock { $0.append(worker) }
            return answer
        }
    }
}

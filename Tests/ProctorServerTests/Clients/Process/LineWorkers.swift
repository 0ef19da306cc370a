import ProctorBase

/// Long-lived processes of one program that answer each line with a line; as many as are asked at once.
final class LineWorkers: Sendable {
    private let arguments: [String]
    private let idle = Locked<[Worker]>([])

    private struct Worker: @unchecked Sendable {
        // In one hand at a time: taken out of `idle`, used, put back.
        let process: ChildProcess
    }

    init(_ arguments: [String]) {
        self.arguments = arguments
    }

    /// Sends a line and returns the answer; a process that gives none in time is killed and never asked again.
    func ask(_ line: [UInt8], within limit: Duration) async throws -> [UInt8] {
        try await blocking { [self] in
            let worker = try idle.withLock { $0.popLast() } ?? Worker(process: ChildProcess(arguments))
            worker.process.write(line + [UInt8(ascii: "\n")])
            let deadline = MonotonicClock.nanoseconds + limit.wholeNanoseconds
            let answer = try worker.process.readLine(until: deadline)
            idle.withLock { $0.append(worker) }
            return answer
        }
    }
}

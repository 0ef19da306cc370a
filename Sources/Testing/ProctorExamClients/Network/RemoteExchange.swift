internal import ProctorBase
package import ProctorExam
internal import ProctorLoop

extension AdapterPort {
    /// Sends an assignment as a line, and gives `onOutput` the trace, up to the empty line behind it.
    ///
    /// A connection that ends before the first byte of the trace is replaced by the next one, as a kept process is; one
    /// that ends within the trace makes the ending `disconnected`. At the watchdog's time the connection is closed, so
    /// that a client that hangs is left to its own process.
    package func ask(
        _ settings: WatchedChild, _ assignment: [UInt8], onOutput: @escaping WatchedChild.OutputReader
    ) async -> WatchedChild.Outcome {
        do {
            return try await loop.run { [self] in
                var former: String?
                for _ in 0..<Self.mostIdleConnections {
                    guard let socket = await takeConnection() else {
                        return WatchedChild.Outcome(ending: .disconnected(absence(after: former)))
                    }
                    var exchange = RemoteExchange(socket: socket, settings: settings, onOutput: onOutput)
                    let end = await exchange.run(line: assignment + [0x0A])
                    if end == .answered { giveBack(socket) } else { discard(socket) }
                    switch end {
                    case .answered, .answeredWithMore: return exchange.outcome(.exited(0))
                    case .refused: return exchange.outcome(.refused)
                    case .hung(let milliseconds): return exchange.outcome(.hung(milliseconds: milliseconds))
                    case .lost(let reason) where exchange.hasOutput:
                        return exchange.outcome(
                            .disconnected(
                                "the connection to the adapter was lost in the middle of this case: \(reason)"))
                    case .lost(let reason): former = reason
                    }
                }
                return WatchedChild.Outcome(
                    ending: .disconnected(
                        "\(Self.mostIdleConnections) connections of the adapter ended before it began the trace of this case; "
                            + "the last one: \(former ?? "")"))
            }
        } catch {
            return WatchedChild.Outcome(ending: .disconnected("the exam was stopped"))
        }
    }

    /// How many connections are tried for one assignment while none of them has written anything.
    static let mostIdleConnections = 3

    private func absence(after former: String?) -> String {
        let seconds = patience.components.seconds
        let before = former.map { "; before that, a connection was lost: \($0)" } ?? ""
        return "no adapter was connected to \(address) within \(seconds) s\(before)"
    }
}

/// One assignment and its trace over a connection.
struct RemoteExchange {
    private let socket: Socket
    private let settings: WatchedChild
    private let onOutput: WatchedChild.OutputReader
    private(set) var hasOutput = false
    /// Whether the next byte begins a line.
    private var isAtLineStart = true

    init(socket: Socket, settings: WatchedChild, onOutput: @escaping WatchedChild.OutputReader) {
        (self.socket, self.settings, self.onOutput) = (socket, settings, onOutput)
    }

    enum End: Equatable {
        case answered
        /// Bytes came behind the empty line, which are the trace of no assignment.
        case answeredWithMore
        case refused
        case hung(milliseconds: Int)
        /// Why the connection ended, half a sentence.
        case lost(String)
    }

    func outcome(_ ending: WatchedChild.Ending) -> WatchedChild.Outcome {
        var outcome = WatchedChild.Outcome(ending: ending)
        outcome.hasOutput = hasOutput
        outcome.hasEmptyLine = ending == .exited(0)
        return outcome
    }

    mutating func run(line: [UInt8]) async -> End {
        let start = MonotonicClock.nanoseconds
        let end = start &+ settings.deadline.wholeNanoseconds
        do throws(SocketError) {
            // Bytes from before the assignment are the trace of none.
            guard try socket.readAtOnce({ _ in }) == .nothing else {
                return .lost("it had ended, or sent bytes unasked")
            }
            try await socket.write(line, within: settings.deadline.wholeNanoseconds)
            return try await readTrace(from: start, until: end)
        } catch {
            switch error {
            case .timedOut: return .hung(milliseconds: Int((MonotonicClock.nanoseconds &- start) / 1_000_000))
            case .cancelled: return .lost("another connection of the adapter came, or the exam was stopped")
            case .failed, .layerFailed: return .lost("\(error)")
            }
        }
    }

    private mutating func readTrace(from start: UInt64, until first: UInt64) async throws(SocketError) -> End {
        var end = first
        while true {
            let now = MonotonicClock.nanoseconds
            if now >= end {
                // As a child: the machine may have become slower meanwhile.
                end = start &+ (settings.deadline + settings.patience()).wholeNanoseconds
                guard end > now else { throw .timedOut }
            }
            var part: [UInt8] = []
            do throws(SocketError) {
                guard try await socket.read(within: end - now, { part.append($0) }) != nil else {
                    return .lost("the adapter's side closed it")
                }
            } catch {
                if error == .timedOut { continue }
                throw error
            }
            hasOutput = true
            let (trace, endOffset) = beforeEmptyLine(part)
            if !trace.isEmpty, !onOutput(trace) { return .refused }
            if let endOffset { return endOffset == part.count ? .answered : .answeredWithMore }
        }
    }

    /// The bytes before the empty line, and the offset behind its line feed; all of them and nil where there is none.
    private mutating func beforeEmptyLine(_ bytes: [UInt8]) -> (trace: ArraySlice<UInt8>, end: Int?) {
        for (index, byte) in bytes.enumerated() {
            let isLineFeed = byte == 0x0A
            if isLineFeed, isAtLineStart { return (bytes[..<index], index + 1) }
            isAtLineStart = isLineFeed
        }
        return (bytes[...], nil)
    }
}

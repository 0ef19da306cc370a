import ProctorBase

/// What a command wrote, in order.
final class Log: Sendable {
    private let pieces = Locked<[String]>([])

    func append(_ piece: String) { pieces.withLock { $0.append(piece) } }

    var text: String { pieces.withLock { $0.joined() } }
}

import ProctorBase
import Synchronization

/// Members of JSON lines that are written once and copied from then on, where they are short; safe from any thread.
///
/// The object is set once and lives as long as this value. An `AtomicLazyReference` would look up the metadata of its
/// type at each load, which costs as much as a short line.
@safe struct KeptMembers: ~Copyable, Sendable {
    private let kept: Atomic<Unmanaged<Kept>?>

    private final class Kept: Sendable {
        let piece: JSONPiece

        init(_ piece: JSONPiece) { self.piece = piece }
    }

    /// The most bytes that are kept.
    private static let byteLimit = 1 << 10

    init() { unsafe kept = Atomic(nil) }

    deinit { unsafe kept.load(ordering: .acquiring)?.release() }

    /// Appends the members; `write` is called as long as there are none or they are long, with the same result.
    func append(to json: inout JSONText, _ write: (inout JSONText) -> Void) {
        if let known = unsafe kept.load(ordering: .acquiring) {
            return unsafe known._withUnsafeGuaranteedRef { json.append($0.piece) }
        }
        let begin = json.byteCount
        write(&json)
        guard json.byteCount - begin <= Self.byteLimit else { return }
        let made = unsafe Unmanaged.passRetained(Kept(JSONPiece(json.withSpan { $0.extracting(begin...).array })))
        let isFirst = unsafe kept.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
            .exchanged
        if !isFirst { unsafe made.release() }
    }
}

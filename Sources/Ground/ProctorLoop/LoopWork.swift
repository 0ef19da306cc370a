internal import ProctorBase
internal import Synchronization

/// What the thread of a loop works on: the loop's thread writes it, a ``LoopWatch`` reads it.
///
/// A turn is one job or one event of a descriptor. A note belongs to the turn in which it was written.
final class LoopWork: Sendable {
    /// The number of the turn, odd while the thread works; two turns never have the same number.
    private let turn = Atomic<UInt64>(0)
    private let note = Locked(Note())

    private struct Note {
        var turn: UInt64 = 0
        var subject: (any AnyObject & Sendable)?
        var owner: (any AnyObject & Sendable)?
        var ownerNumber: UInt64 = 0
        var connection: Int32 = 0
        var request: Int32 = 0
        var step: UInt8 = 0
        var detail: Int32 = 0
    }

    var presentTurn: UInt64 { turn.load(ordering: .relaxed) }

    /// On the loop's thread, the only one that writes the number.
    @inline(__always)
    func beginTurn() { turn.store((turn.load(ordering: .relaxed) | 1) &+ 2, ordering: .relaxed) }

    /// Before the thread waits for events; on the loop's thread.
    func endTurn() {
        let present = turn.load(ordering: .relaxed)
        if present & 1 == 1 { turn.store(present &+ 1, ordering: .relaxed) }
    }

    func noteRequest(
        _ subject: any AnyObject & Sendable, of owner: any AnyObject & Sendable, number: UInt64, connection: Int,
        request: Int
    ) {
        let turn = presentTurn
        note.withLock { note in
            note.turn = turn
            note.subject = subject
            // Most requests have the owner of the one before.
            if note.ownerNumber != number {
                note.owner = owner
                note.ownerNumber = number
            }
            note.connection = Int32(truncatingIfNeeded: connection)
            note.request = Int32(truncatingIfNeeded: request)
            note.step = 0
        }
    }

    func noteStep(_ step: UInt8, detail: Int) {
        note.withLock { note in
            note.step = step
            note.detail = Int32(clamping: detail)
        }
    }

    /// Lets go of what was noted in a turn that is over; the watch calls it before it sleeps.
    ///
    /// So an idle server keeps no run alive. A weak reference would make each use of the owner slower.
    func forget() {
        // Released without the lock.
        let dropped = note.withLock { note -> Note? in
            guard presentTurn & 1 == 0 else { return nil }
            defer { note = Note() }
            return note
        }
        _ = consume dropped
    }

    /// What was noted in a turn; nil if nothing was.
    func request(inTurn turn: UInt64) -> LoopRequest? {
        note.withLock { note in
            guard note.turn == turn, let subject = note.subject, let owner = note.owner else { return nil }
            return LoopRequest(
                subject: subject, owner: owner, connection: Int(note.connection),
                request: note.request < 0 ? nil : Int(note.request), step: note.step, detail: Int(note.detail))
        }
    }
}

/// The request that a loop works on; the code that noted it knows the types of subject and owner.
package struct LoopRequest: Sendable {
    package let subject: any AnyObject & Sendable
    package let owner: any AnyObject & Sendable
    package let connection: Int
    /// nil if the request has no number yet.
    package let request: Int?
    /// The step that is being done, a number that the owner defines; 0 if none was noted.
    package let step: UInt8
    package let detail: Int
}

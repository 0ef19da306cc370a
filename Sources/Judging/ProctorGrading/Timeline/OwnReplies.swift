import ProctorHTTP
import ProctorJournal

/// Finds the replies that Proctor itself made because the scenario had none for the request.
struct OwnReplies {
    /// The requests that get such a reply.
    private var requests: Set<Int> = []

    /// Whether the entry is about such a reply; call it once for each entry, in the order of the journal.
    mutating func contains(_ entry: JournalEntry) -> Bool {
        guard let request = entry.request else { return false }
        switch entry.event {
        case .missed, .stateRefused, .replyFailed, .boundReached: requests.insert(request)
        case .violation(let violation) where violation.isFatal: requests.insert(request)
        case .replyBegun, .replySent: return requests.contains(request)
        default: break
        }
        return false
    }
}

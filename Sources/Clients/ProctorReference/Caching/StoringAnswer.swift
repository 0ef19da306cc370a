package import ProctorHTTPClient

/// The answer to the question whether to store a response (R32).
public enum StoringAnswer: Sendable, Equatable {
    case store
    /// Nothing is stored.
    case refuse
    /// A response is stored with changed parts.
    case change(StoredChange)
}

/// The parts that a delegate replaces in a response before it is stored; nil leaves a part unchanged.
public struct StoredChange: Sendable, Equatable {
    /// The content, without content codings.
    public var content: [UInt8]?
    /// The application's `userInfo`, which is stored with the response.
    public var notes: [String: String]?
    /// The storage policy: in memory, on disk, or not at all.
    package var storage: CacheStoragePolicy?

    /// Makes a change of content and notes.
    public init(content: [UInt8]? = nil, notes: [String: String]? = nil) {
        (self.content, self.notes) = (content, notes)
    }
}

/// A deliberate fault of the cache (RFC 9111), by the label of its breakage; `faults.tsv` says what each does.
package enum CacheFault: String, Sendable, CaseIterable {
    case changeIsForgotten = "change-is-forgotten"
    case reloadSaysNothing = "reload-says-nothing"
    case freshIsNeverAsked = "fresh-is-never-asked"
    case headIsIgnored = "head-is-ignored"
    case notesAreForgotten = "notes-are-forgotten"
}

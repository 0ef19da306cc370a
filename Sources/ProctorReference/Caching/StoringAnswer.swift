package import ProctorHTTP

/// What becomes of a response that could be stored (R32).
public enum StoringAnswer: Sendable, Equatable {
    case store
    /// Nothing is stored.
    case refuse
    /// Stores it with changed parts.
    case change(StoredChange)
}

/// What a delegate replaces in a response before it is stored; nil leaves that part as it is.
public struct StoredChange: Sendable, Equatable {
    /// The content, without content codings.
    public var content: [UInt8]?
    /// The application's own notes; they are kept with the response.
    public var notes: [String: String]?
    /// Where it may be stored.
    package var storage: CacheStoragePolicy?

    /// Makes a change of content and notes.
    public init(content: [UInt8]? = nil, notes: [String: String]? = nil) {
        self.content = content
        self.notes = notes
    }
}

/// A mistake with the cache, for clients that are broken on purpose.
package enum CacheFault: Sendable {
    /// What the delegate changed is stored as it came.
    case changeIsForgotten
    /// The application's notes are not kept.
    case notesAreForgotten
    /// ``CachePolicy/reloadAll`` tells the caches on the way nothing.
    case reloadSaysNothing
    /// ``CachePolicy/revalidate`` takes what is fresh without a question.
    case freshIsNeverAsked
    /// A reply to HEAD changes nothing that is stored.
    case headIsIgnored
}

internal import ProctorBase

/// What a shared port notes about connections and requests that belong to no scenario.
///
/// Its lines in a journal file have neither `scenario` nor `run`. Safe from any thread.
final class Lobby: Sendable {
    let journal: Journal
    private let counts = Locked((connections: 0, requests: 0))

    init(journal: Journal) {
        self.journal = journal
    }

    func admitConnection() -> Int {
        counts.withLock { counts in
            defer { counts.connections += 1 }
            return counts.connections
        }
    }

    func admitRequest() -> Int {
        counts.withLock { counts in
            defer { counts.requests += 1 }
            return counts.requests
        }
    }
}

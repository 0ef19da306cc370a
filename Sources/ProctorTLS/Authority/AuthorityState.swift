import ProctorBase

/// What an authority remembers of what it minted; short-lived, all of it can be made again.
struct AuthorityState {
    /// Which minting it was.
    struct Key: Hashable {
        let profile: String
        let names: CertificateNames
        let revocation: RevocationPlace?
    }

    /// A minting, and a lock that those wait for who want the same; it is held for as long as that takes.
    final class Turn: Sendable {
        let isTaken = Locked(())
    }

    var stranger: Issuing?
    var clients: [String: ClientIdentity] = [:]
    /// On which the files of clients were written, its midnight.
    var clientsDay: Int64 = 0
    /// Names of client identities by SubjectPublicKeyInfo: those whose keys were there at the opening, or made since.
    var clientNames: [[UInt8]: String] = [:]
    var register = RevocationRegister()
    private var identities: [Key: ServerIdentity] = [:]
    /// Oldest first.
    private var order: [Key] = []
    private var turns: [Key: Turn] = [:]

    /// More are forgotten, the oldest first.
    static let limit = 64

    func identity(_ key: Key, at now: Int64) -> ServerIdentity? {
        identities[key].flatMap { $0.freshUntil > now ? $0 : nil }
    }

    mutating func keep(_ identity: ServerIdentity, for key: Key) {
        turns[key] = nil
        if identities.updateValue(identity, forKey: key) == nil { order.append(key) }
        while order.count > Self.limit { identities[order.removeFirst()] = nil }
    }

    mutating func turn(_ key: Key) -> Turn {
        if let turn = turns[key] { return turn }
        // Turns of mintings that failed; those who wait for one hold it.
        if turns.count >= Self.limit { turns = [:] }
        let turn = Turn()
        turns[key] = turn
        return turn
    }
}

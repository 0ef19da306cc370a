internal import ProctorBase

/// What happened at the end of a client that sends given bytes to what stands between it and the server.
public struct DownstreamNote: Sendable, Equatable {
    /// Counts the connections of that client, from 0; the server knows none of them.
    package let connection: Int
    package let event: Event

    package enum Event: Sendable, Equatable {
        /// The connection is open; `peer` is the address that was asked.
        case opened(peer: String)
        /// Bytes went out, as far as they are kept; where they begin a request, its method.
        case sent([UInt8], byteCount: Int, method: String?)
        /// Bytes came, as far as they are kept.
        case received([UInt8], byteCount: Int)
        case ended(by: JournalEvent.Party, how: JournalEvent.Ending)
        /// What was awaited did not come: `reply`, with the reason as half a sentence.
        case missed(awaited: String, reason: String)
    }

    package init(connection: Int, _ event: Event) { (self.connection, self.event) = (connection, event) }

    /// Bytes that one entry keeps; more are counted only.
    package static let keptByteLimit = 64 << 10

    package var keptByteCount: Int {
        switch event {
        case .sent(let bytes, _, _), .received(let bytes, _): bytes.count
        case .opened, .ended, .missed: 0
        }
    }

    /// For a person.
    package var sentence: String {
        let of = connection == 0 ? "" : " \(connection)"
        return switch event {
        case .opened(let peer): "downstream\(of): connected to \(peer)"
        case .sent(let bytes, let count, _):
            "downstream\(of): sent \(Plural.count(count, "byte")): \(EscapedText.escape(bytes, limit: 200))"
        case .received(let bytes, let count):
            "downstream\(of): got \(Plural.count(count, "byte")): \(EscapedText.escape(bytes, limit: 200))"
        case .ended(let party, let how):
            "downstream\(of): \(party == .client ? "ended" : "ended by the peer"), \(how.rawValue)"
        case .missed(let awaited, let reason): "downstream\(of): no \(awaited) came, \(reason)"
        }
    }
}

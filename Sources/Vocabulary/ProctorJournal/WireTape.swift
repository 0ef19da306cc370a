internal import ProctorBase

/// What a server sends on the connections of a run, byte by byte, and how it ends them; safe from any thread.
///
/// A journal has what a client sends, and of replies what they mean.
package final class WireTape: Sendable {
    /// Bytes that are kept; of what is sent behind them nothing is.
    package static let byteLimit = 8 << 20

    private let state = Locked<(entries: [Entry], byteCount: Int)>(([], 0))

    package struct Entry: Sendable, Equatable {
        /// The time by CLOCK_MONOTONIC.
        package let nanoseconds: UInt64
        /// Both ends of the connection, as `connectionOpened` of the journal has them.
        package let peer: String
        package let local: String
        package let event: Event

        package init(nanoseconds: UInt64, peer: String, local: String, event: Event) {
            (self.nanoseconds, self.peer, self.local, self.event) = (nanoseconds, peer, local, event)
        }
    }

    package enum Event: Sendable, Equatable {
        /// Plaintext that went out at once.
        case sent([UInt8])
        /// FIN, behind close_notify where TLS sends one.
        case halfClosed(closeNotify: Bool)
        case closed
        case reset
        /// More was sent than is kept.
        case cut
    }

    package init() {}

    package var entries: [Entry] { state.withLock(\.entries) }

    package func append(_ event: Event, peer: String, local: String) {
        let now = MonotonicClock.nanoseconds
        state.withLock { state in
            guard state.byteCount <= Self.byteLimit else { return }
            var event = event
            if case .sent(let bytes) = event {
                state.byteCount += bytes.count
                if state.byteCount > Self.byteLimit { event = .cut }
            }
            state.entries.append(Entry(nanoseconds: now, peer: peer, local: local, event: event))
        }
    }
}

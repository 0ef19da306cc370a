internal import ProctorBase
package import ProctorLoop

/// The requests that this process sends by itself at a time, within a bound; safe from any thread.
package enum OutgoingPlaces {
    package static let limit = 1_024
    private static let state = Locked((count: 0, addresses: Set<SocketAddress>()))

    /// Takes a place, which ``releasePlace(_:)`` gives back; false where there is none.
    package static func takePlace() -> Bool {
        state.withLock { state in
            guard state.count < limit else { return false }
            state.count += 1
            return true
        }
    }

    /// Notes our end of the connection of a place, before the first byte of the request.
    package static func noteAddress(_ address: SocketAddress) {
        state.withLock { _ = $0.addresses.insert(address) }
    }

    /// Whether a client is this process itself.
    static func haveAddress(_ peer: SocketAddress) -> Bool { state.withLock { $0.addresses.contains(peer) } }

    /// `address` is our end where one was noted.
    package static func releasePlace(_ address: SocketAddress?) {
        state.withLock { state in
            state.count -= 1
            if let address { state.addresses.remove(address) }
        }
    }
}

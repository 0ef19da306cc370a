internal import ProctorBase
internal import ProctorLoop

/// Hands out a 127.x address for each run where the whole block is ours (Linux), because cookies ignore ports.
final class RunAddressPool: Sendable {
    private let next: Locked<UInt32>
    private let isOn: Bool

    /// `isOn` is false for a server that must not leave the host it was given.
    init(isOn: Bool) {
        #if os(Linux)
            self.isOn = isOn
        #else
            self.isOn = false
        #endif
        next = Locked(0)
    }

    /// The next address, from 127.64.0.1 to 127.254.255.254 and round again; nil where runs share one.
    func take() -> SocketAddress? {
        guard isOn else { return nil }
        let number = next.withLock { next in
            defer { next &+= 1 }
            return next
        }
        let host = number % (191 * 256 * 254)
        let last = host % 254 + 1
        let third = host / 254 % 256
        let second = host / 254 / 256 + 64
        return .ipv4(host: "127.\(second).\(third).\(last)", port: 0)
    }
}

internal import ProctorBase
internal import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Hands out a 127.x address for each run where the whole block is ours (Linux), because cookies ignore ports.
final class RunAddressPool: Sendable {
    /// One for all servers of a process; processes that live at the same time begin far from each other.
    private static let next = Locked(UInt32(truncatingIfNeeded: getpid()) &* 8_191)
    private let isOn: Bool

    /// `isOn` is false for a server that must not leave the host it was given.
    init(isOn: Bool) {
        #if os(Linux)
            self.isOn = isOn
        #else
            self.isOn = false
        #endif
    }

    /// The next address, from 127.64.0.1 to 127.254.255.254 and round again; nil where runs share one.
    func take() -> SocketAddress? {
        guard isOn else { return nil }
        let number = Self.next.withLock { next in
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

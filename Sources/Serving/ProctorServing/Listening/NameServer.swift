package import ProctorBase
package import ProctorLoop
package import ProctorReplies
package import ProctorScenario

/// The server of DNS of one run, at one port of the loopback.
///
/// Made and run on the loop's thread; ``stop()`` may be called from any.
package protocol NameServer: Sendable {
    var address: SocketAddress { get }
    /// Begins to serve; the caller owns the task, which ends after ``stop()``.
    func start() -> Task<Void, Never>
    func stop()
}

package enum NameServers {
    /// Binds a free port of the host; the addresses are those of the origins, by index, and nil for one without an address of IP.
    package typealias Opening =
        @Sendable (_ host: SocketAddress, _ stage: Stage, _ addresses: [SocketAddress?], _ loop: EventLoop)
        -> Result<any NameServer, CallFailure>

    package static let slot = PartSlot<Opening>("the server of DNS")
}

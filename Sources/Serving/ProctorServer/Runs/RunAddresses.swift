internal import ProctorBase
internal import ProctorLoop
internal import ProctorScenario

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

struct OriginAddresses {
    let host: SocketAddress
    /// An address beside the run's; nil where there is none.
    let otherHost: SocketAddress?
    let groups: AddressGroups
    /// The addresses for ``AddressGroups/spare(of:)``; too few where the system has none.
    let spares: [SocketAddress]
    /// Nil where no origin listens on a Unix socket.
    let sockets: SocketFolder?

    /// `localhost` stays the loopback address of every machine.
    func address(of origin: Origin, at index: Int) throws(HostRefusal) -> SocketAddress {
        if origin.transport == .unix, let sockets { return sockets.socket(ofOrigin: index) }
        if let spare = groups.spare(of: index) {
            guard spares.indices.contains(spare) else { throw Self.noSpare(of: origin) }
            return spares[spare]
        }
        switch (origin.host, host) {
        case (.localhost, .ipv6("::1", _)): return host
        case (.loopback, _), (.localhost, _): return .ipv4(host: "127.0.0.1", port: 0)
        case (.ipv6, _): return .ipv6(host: "::1", port: 0)
        case (.otherAddress, _):
            guard let otherHost else { throw Self.noOther(of: origin) }
            return otherHost
        case (.address, _), (.name, _): return host
        }
    }

    /// Why an origin can't have its address; nil for a failure with another cause.
    func refusal(of origin: Origin, at index: Int, _ failure: CallFailure) -> HostRefusal? {
        if groups.spare(of: index) != nil, failure.code == EADDRNOTAVAIL { return Self.noSpare(of: origin) }
        switch origin.host {
        case .ipv6 where failure.code == EADDRNOTAVAIL || failure.code == EAFNOSUPPORT:
            return HostRefusal("\(origin.location): this system has no loopback address of IPv6: \(failure.text)")
        case .otherAddress where failure.code == EADDRNOTAVAIL: return Self.noOther(of: origin)
        default: return nil
        }
    }

    private static func noSpare(of origin: Origin) -> HostRefusal {
        HostRefusal(
            "\(origin.location): several addresses of one name need all of 127.0.0.0/8, as Linux has it, and a server on "
                + "127.0.0.1 whose runs have addresses of their own")
    }

    private static func noOther(of origin: Origin) -> HostRefusal {
        HostRefusal(
            "\(origin.location): 'other-address' needs all of 127.0.0.0/8, as Linux has it, and a server on 127.0.0.1 "
                + "whose runs have addresses of their own")
    }
}

/// Why a run can't have the addresses of its origins; no client is at fault.
package struct HostRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Gives each run a 127.x address of its own where the system has the whole block (Linux), because cookies ignore
/// ports.
final class RunAddressPool: Sendable {
    /// All servers of a process share it; processes start at different numbers.
    private static let next = Locked(UInt32(truncatingIfNeeded: getpid()) &* 8_191)
    private let isOn: Bool

    /// `isOn` is false for a server that must use its given host.
    init(isOn: Bool) {
        #if os(Linux)
            self.isOn = isOn
        #else
            self.isOn = false
        #endif
    }

    /// The next address, from 127.64.0.1 to 127.254.255.254, then again; nil where runs share one.
    func nextAddress() -> SocketAddress? {
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

/// A folder for one run's Unix sockets, which only this user may enter; removed with the run.
///
/// Safe from any thread.
final class SocketFolder: Sendable {
    private let path: String
    /// Paths of the run's sockets; nil when the folder is removed.
    private let sockets = Locked<Set<String>?>([])
    private let report: @Sendable (String) -> Void

    /// Below TMPDIR, or in `/tmp` where that path is too long for a socket.
    ///
    /// `report` gets one sentence if the folder can't be removed later.
    init(report: @escaping @Sendable (String) -> Void) throws(CallFailure) {
        var parent = "/tmp"
        if let variable = unsafe getenv("TMPDIR") {
            let wanted = unsafe String(cString: variable)
            if wanted.hasPrefix("/"),
                wanted.utf8.count + Self.beginning.utf8.count + Self.restByteCount < Self.pathLimit
            {
                parent = wanted.hasSuffix("/") ? String(wanted.dropLast()) : wanted
            }
        }
        path = try TemporaryFolder.make(parent + Self.beginning)
        self.report = report
    }

    deinit { remove() }

    func socket(ofOrigin index: Int) -> SocketAddress {
        let socket = "\(path)/\(index).sock"
        sockets.withLock { _ = $0?.insert(socket) }
        return .unix(path: socket)
    }

    /// To be called when every socket in it is closed; other files stay, and are reported.
    func remove() {
        guard let sockets = sockets.withLock({ $0.take() }) else { return }
        // A closed socket has removed its file, so usually there is none.
        for socket in sockets { unsafe _ = unlink(socket) }
        guard unsafe rmdir(path) != 0 else { return }
        let failure = CallFailure.system("rmdir \(path)")
        guard failure.code != ENOENT else { return }
        report(
            "the folder of a run's Unix sockets stays behind: \(failure); delete it when its contents are no longer needed"
        )
    }

    private static let beginning = "/proctor-"
    /// The six letters of a folder, and a socket's name in it.
    private static let restByteCount = 16
    /// The shortest limit of any system (Darwin).
    private static let pathLimit = 104
}

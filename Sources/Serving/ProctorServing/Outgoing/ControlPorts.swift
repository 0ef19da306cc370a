internal import ProctorBase
package import ProctorLoop
internal import ProctorProgram

/// The ports of a server at which its control API answers, known to the whole process while this value lives.
package final class ControlPorts: Sendable {
    private let ports: [UInt16]

    /// How many servers of the process listen at each.
    private static let counts = Locked<[UInt16: Int]>([:])

    package init(_ addresses: [SocketAddress]) {
        ports = addresses.compactMap(\.port)
        Self.counts.withLock { counts in
            for port in ports { counts[port, default: 0] += 1 }
        }
    }

    deinit {
        Self.counts.withLock { counts in
            for port in ports {
                let count = (counts[port] ?? 1) - 1
                counts[port] = count > 0 ? count : nil
            }
        }
    }

    /// Whether a target at an address leads to the control API of this process; any host counts, since all are this machine.
    static func leadToCalls(_ address: SocketAddress, _ target: [UInt8]) -> Bool {
        guard let port = address.port, counts.withLock({ $0[port] != nil }) else { return false }
        return isControl(target.prefix { $0 != UInt8(ascii: "?") })
    }

    /// Whether a path without a query is that of the control API, or below it.
    package static func isControl(_ path: ArraySlice<UInt8>) -> Bool {
        let prefix = ControlMessage.prefix.utf8
        return path.starts(with: prefix)
            && (path.count == prefix.count || path[path.startIndex + prefix.count] == UInt8(ascii: "/"))
    }
}

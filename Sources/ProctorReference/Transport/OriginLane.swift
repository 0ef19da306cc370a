/// The connections to one origin, by one security, and the line for them; loop thread only.
final class OriginLane {
    let destination: Destination
    /// All that are open, idle or not, in the order in which they were opened.
    var connections: [PooledConnection] = []
    /// Those who are opening one.
    var opening: [ConnectionRequest] = []
    /// First come, first served.
    var line: [ConnectionRequest] = []

    init(destination: Destination) {
        self.destination = destination
    }

    var isUnused: Bool { connections.isEmpty && opening.isEmpty && line.isEmpty }

    /// Connections, and those to be.
    var count: Int { connections.count + opening.count }

    /// The idle connection that was in use last: it is the least likely to be closed by the server just now.
    var freshestIdle: PooledConnection? { idle { $0 > $1 } }

    /// The one that has idled longest.
    var stalestIdle: PooledConnection? { idle { $0 < $1 } }

    /// A plain walk: it is done for every exchange, over a handful of connections.
    private func idle(_ isBetter: (UInt64, UInt64) -> Bool) -> PooledConnection? {
        var best: PooledConnection?
        for connection in connections {
            guard let start = connection.idleSince else { continue }
            if let found = best?.idleSince, !isBetter(start, found) { continue }
            best = connection
        }
        return best
    }
}

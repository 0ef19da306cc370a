internal import ProctorBase
package import ProctorLoop
package import ProctorReplies

/// The ports and connections of one run, for what depends on more than one of them; safe from any thread.
package final class RunTransport: StageCompanion {
    /// The TLS of an origin's connections and tunnels, by origin; nil for plain HTTP.
    package let security: [ListenerSecurity?]
    /// One for each loop that serves the run.
    private let watched = Locked<[LoopBound<Watched>]>([])

    private final class Watched {
        var connections: [WeakReference<Connection>] = []
        var listeners: [WeakReference<Listener>] = []
    }

    private struct WeakReference<Object: AnyObject> {
        weak var object: Object?
    }

    /// The most connections that are checked before a reply that sets cookies is sent.
    static let connectionLimit = 64

    package init(security: [ListenerSecurity?]) {
        self.security = security
    }

    package func reset() {}

    /// Adds a connection to ``connections(on:)`` for its lifetime; on its loop.
    func watch(_ connection: Connection) {
        let watched = watched(on: connection.socket.loop)
        watched.connections.removeAll { $0.object == nil || $0.object === connection }
        if watched.connections.count >= Self.connectionLimit { watched.connections.removeFirst() }
        watched.connections.append(WeakReference(object: connection))
    }

    /// The latest connections; on that loop.
    func connections(on loop: EventLoop) -> [Connection] { watched(on: loop).connections.compactMap(\.object) }

    /// Adds a port to ``listeners(on:)`` while it is open; on its loop.
    package func watch(_ listener: Listener) {
        watched(on: listener.loop).listeners.append(WeakReference(object: listener))
    }

    /// The ports of the run; on that loop.
    package func listeners(on loop: EventLoop) -> [Listener] { watched(on: loop).listeners.compactMap(\.object) }

    private func watched(on loop: EventLoop) -> Watched {
        let bound = watched.withLock { watched in
            if let known = watched.first(where: { $0.loop === loop }) { return known }
            let new = LoopBound(Watched(), on: loop)
            watched.append(new)
            return new
        }
        return bound.value
    }
}

extension Stage {
    /// Nil for a stage without ports of its own.
    package var transport: RunTransport? { companion(RunTransport.self) }

    /// The TLS of what a tunnel to the origin carries; nil for plain HTTP.
    package func security(ofTunnelTo origin: Int) -> ListenerSecurity? {
        router == nil ? nil : transport?.security[origin]
    }
}

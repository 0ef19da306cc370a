import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorTLS
import ProctorTLSWire

/// The writing side of a connection; on the loop's thread only.
package final class ConnectionOutput {
    let socket: Socket
    let bounds: ConnectionBounds
    private let journals: ConnectionJournals
    /// The next TLS record is cut, and nothing is sent after it.
    var isTruncating = false
    /// Whether FIN was sent, so that the connection is only read on.
    package var isHalfClosed = false
    /// The session during its handshake, while the socket still has no TLS layer.
    var handshaking: TLSSession?

    init(socket: Socket, bounds: ConnectionBounds, journals: ConnectionJournals) {
        (self.socket, self.bounds, self.journals) = (socket, bounds, journals)
    }

    /// How the peer has left, as far as a pause has seen it; nil while it may still read.
    var peerEnd: ConnectionEnd? {
        guard socket.isPeerKnownGone else { return nil }
        return socket.wasReset ? .peerReset : .peerClosed
    }

    func write(_ bytes: [UInt8]) async throws(ConnectionEnd) {
        do throws(SocketError) {
            try await socket.write(bytes, within: bounds.progress)
        } catch {
            throw ConnectionEnd(error)
        }
        if isTruncating { try socket.endWithoutNotify() }
    }

    /// Waits for the peer; notes a FIN, behind which the peer may still read.
    func waitWhilePeerStays(until deadline: UInt64) async throws(ConnectionEnd) {
        do throws(SocketError) {
            try await socket.waitUntilPeerIsGone(until: deadline) { journals.append(.finReceived) }
        } catch {
            if error == .timedOut { return }
            throw ConnectionEnd(error)
        }
        throw socket.wasReset ? .peerReset : .peerClosed
    }
}

/// Plays the connection effects of an origin on one connection, before an exchange is known; made where there are some,
/// on the loop's thread only.
final class ConnectionEffectPlayer {
    private unowned let connection: Connection
    /// Nil where the origin has no connection effects.
    private var script: ConnectionScript?
    /// Set while the connection speaks HTTP/2; it owns the connection.
    weak var http2: (any SucceedingConnection)?
    private var hasBegun = false

    init(of connection: Connection) { self.connection = connection }

    private var output: ConnectionOutput { connection.output }
    private var journals: ConnectionJournals { connection.journals }

    /// The connection's number at its origin.
    private(set) var number = 0

    var hasScript: Bool { script != nil }

    var hasHandshakeEffects: Bool { script?.hasHandshakeEffects == true }

    /// `connection` is the connection's number at its origin.
    func setScript(_ effects: [ConnectionEffect], connection: Int) {
        number = connection
        let script = ConnectionScript(effects, connection: connection)
        if !script.isEmpty { self.script = script }
    }

    /// As the script has it; 0 without one.
    var scriptConnection: Int { script?.connection ?? 0 }

    func dropScript() { script = nil }

    func beginNextRequest() { script?.beginRequest() }

    func allowance(at position: ConnectionScript.Position) -> Int { script?.allowance(at: position) ?? .max }

    /// Plays the effects that are due at the connection's position; those at `accept` are due at the first call.
    func playEffects(at position: ConnectionScript.Position) async throws(ConnectionEnd) {
        guard script != nil else { return }
        try await playEffects(at: hasBegun ? position : .accepted, in: nil)
        hasBegun = true
    }

    func playEffects(
        at position: ConnectionScript.Position, in session: TLSSession?
    ) async throws(ConnectionEnd) {
        output.handshaking = session
        defer { output.handshaking = nil }
        while let effect = script?.next(at: position) {
            var cursor = ReplyCursor()
            // Only what follows the effects is not sent behind a cut record.
            let wasTruncating = output.isTruncating
            output.isTruncating = false
            defer { output.isTruncating = output.isTruncating || wasTruncating }
            if case .origin(let stage, _) = connection.endpoint {
                cursor.reports = ReportAwaiter(reports: stage.reports, clock: stage.clock) { self.journals.append($0) }
            }
            let action = connection.bound(effect.action)
            journals.append(.effectPlayed(action.row.played(at: effect.position.text)))
            if let http2 {
                if case .frames(let frames) = action {
                    try http2.perform(frames)
                    continue
                }
                try await http2.drain()
            }
            do throws(ConnectionEnd) {
                try await cursor.perform(action, on: connection)
            } catch {
                guard error.isOfPeer, action.row.onlyWaits else { throw error }
                // What the peer has sent before it left is read at once, and tells how it left.
                return script = nil
            }
            if output.isHalfClosed {
                try await connection.late.awaitPeer()
                throw .serverEnded(.closed)
            }
        }
    }
}

extension Connection {
    package var hasEffects: Bool { effects?.hasScript == true }

    func playEffects(at position: ConnectionScript.Position) async throws(ConnectionEnd) {
        try await effects?.playEffects(at: position)
    }

    /// Plays the effects behind the first SETTINGS of the connection that goes on with this one.
    package func playPreface(of http2: any SucceedingConnection) async throws(ConnectionEnd) {
        effects?.http2 = http2
        try await playEffects(at: .preface)
    }

    /// Only a run has connection effects, so the addresses do not depend on a request.
    func bound(_ action: Effect.Action) -> Effect.Action {
        guard case .origin(let stage, let origin) = endpoint, let addresses = stage.addresses.boundToOrigins else {
            return action
        }
        let number = effects?.scriptConnection ?? 0
        let numbers = RequestNumbers(seed: stage.seed, clock: stage.clock, connection: number, request: number)
        var inputs = PlanInputs(context: addresses.context(origin: origin, at: stage.clock), numbers: numbers)
        return inputs.bound(action)
    }
}

/// The effects of an origin that apply to one connection; each is played once for the connection or once a request.
struct ConnectionScript {
    private let effects: [ConnectionEffect]
    /// The connection's number at its origin.
    let connection: Int
    private var wasPlayed: [Bool]
    private var request = 0

    enum Position: Equatable {
        case accepted
        case handshake(ConnectionEffect.HandshakePosition)
        /// Behind the first SETTINGS of HTTP/2.
        case preface
        /// Bytes of a request's head that were read.
        case head(Int)
        /// Bytes of a request's body, with framing, that were read.
        case body(Int)
    }

    init(_ effects: [ConnectionEffect], connection: Int) {
        self.connection = connection
        self.effects = effects.filter { $0.delay == nil && $0.connections?.contains(connection) ?? true }
        wasPlayed = Array(repeating: false, count: self.effects.count)
    }

    var isEmpty: Bool { effects.isEmpty }

    var hasHandshakeEffects: Bool {
        effects.contains { effect in
            if case .handshake = effect.position { true } else { false }
        }
    }

    mutating func next(at position: Position) -> ConnectionEffect? {
        for (index, effect) in effects.enumerated() where isOpen(index) {
            guard let distance = effect.position.distance(from: position), distance <= 0 else { continue }
            wasPlayed[index] = true
            return effect
        }
        return nil
    }

    func allowance(at position: Position) -> Int {
        var allowance = Int.max
        for (index, effect) in effects.enumerated() where isOpen(index) {
            guard let distance = effect.position.distance(from: position) else { continue }
            allowance = min(allowance, max(1, distance))
        }
        return allowance
    }

    private func isOpen(_ index: Int) -> Bool {
        guard !wasPlayed[index] else { return false }
        guard effects[index].position.isOfRequests, let requests = effects[index].requests else { return true }
        return requests.contains(request)
    }

    /// Begins a new request; effects of requests can be played again.
    mutating func beginRequest() {
        request += 1
        for (index, effect) in effects.enumerated() where effect.position.isOfRequests { wasPlayed[index] = false }
    }
}

extension ConnectionEffect.Position {
    /// Bytes left before the effect is due; nil where the effect belongs to another position.
    fileprivate func distance(from position: ConnectionScript.Position) -> Int? {
        switch (self, position) {
        case (.accept, .accepted), (.preface, .preface): 0
        case (.handshake(let place), .handshake(let moment)): place == moment ? 0 : nil
        case (.requestHead(let offset), .head(let read)), (.requestBody(let offset), .body(let read)): offset - read
        default: nil
        }
    }
}

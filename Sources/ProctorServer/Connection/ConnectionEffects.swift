import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTLS
import ProctorTLSWire

/// Where the bytes of a connection go; on the loop's thread only.
final class ConnectionOutput {
    let socket: Socket
    let bounds: ConnectionBounds
    /// The next record is cut, and nothing goes out behind it.
    var isTruncating = false

    init(socket: Socket, bounds: ConnectionBounds) {
        self.socket = socket
        self.bounds = bounds
    }

    /// Writes all of the bytes, or throws how the connection ended.
    func write(_ bytes: [UInt8]) async throws(ConnectionEnd) {
        do throws(SocketError) {
            try await socket.write(bytes, within: bounds.progress)
        } catch {
            throw ConnectionEnd(error)
        }
        if isTruncating {
            socket.sendsCloseNotify = false
            throw .oursInOrder
        }
    }

    /// What plays a reply, or an effect, on the connection.
    func player() -> Player {
        var player = Player(socket: socket, bounds: bounds)
        player.isTruncating = isTruncating
        return player
    }
}

/// Plays the connection effects of an origin on one connection, before an exchange is known.
///
/// On the loop's thread only.
final class ConnectionEffects {
    private let endpoint: Endpoint
    private let output: ConnectionOutput
    private let journals: ConnectionJournals
    private let late: LateInput
    /// Nil for nearly every connection.
    private var script: ConnectionScript?
    /// Whether the effects at `accept` are over.
    private var hasBegun = false

    init(endpoint: Endpoint, output: ConnectionOutput, journals: ConnectionJournals, late: LateInput) {
        self.endpoint = endpoint
        self.output = output
        self.journals = journals
        self.late = late
    }

    var hasScript: Bool { script != nil }

    /// Whether the handshake has to be played step by step.
    var hasHandshakeEffects: Bool { script?.hasHandshakeEffects == true }

    /// `connection` is the connection's number at its origin.
    func setScript(_ effects: [ConnectionEffect], connection: Int) {
        guard !effects.isEmpty else { return }
        let script = ConnectionScript(effects, connection: connection)
        if !script.isEmpty { self.script = script }
    }

    /// Nothing is played any more.
    func dropScript() { script = nil }

    func beginNextRequest() { script?.beginRequest() }

    /// How many bytes may be read before the next effect is due.
    func allowance(at position: ConnectionScript.Position) -> Int { script?.allowance(at: position) ?? .max }

    /// Plays the effects that are due where the connection stands; those at `accept` are due at the first call.
    func play(at position: ConnectionScript.Position) async throws(ConnectionEnd) {
        guard script != nil else { return }
        try await play(at: hasBegun ? position : .accepted, in: nil)
        hasBegun = true
    }

    /// Plays the effects that are due at one position; `session` is the TLS session whose handshake goes on.
    func play(
        at position: ConnectionScript.Position, in session: TLSSession?
    ) async throws(ConnectionEnd) {
        while let effect = script?.next(at: position) {
            var player = Player(socket: output.socket, bounds: output.bounds)
            player.handshaking = session
            if case .origin(let stage, _) = endpoint {
                player.sync = SyncDesk(board: stage.reports) { self.journals.note($0) }
            }
            let action = bound(effect.action)
            journals.note(.effectPlayed(action: action.text, position: effect.position.text))
            try await player.perform(action)
            if player.isTruncating { output.isTruncating = true }
            if player.isHalfClosed {
                try await late.awaitPeer()
                throw .oursDone(.closed)
            }
        }
    }

    /// Only a run has connection effects, so its addresses do not depend on a request.
    private func bound(_ action: Effect.Action) -> Effect.Action {
        guard case .origin(let stage, let origin) = endpoint, let addresses = stage.addresses.boundToOrigins else {
            return action
        }
        var binding = ReplyPlanner.Binding(context: addresses.context(origin: origin))
        return binding.bound(action)
    }
}

/// The effects of an origin that apply to one connection, each played once for the connection or once a request.
struct ConnectionScript {
    private let effects: [ConnectionEffect]
    private var wasPlayed: [Bool]
    /// Of the connection, 0-based.
    private var request = 0

    /// Where a connection stands.
    enum Position: Equatable {
        case accepted
        case handshake(ConnectionEffect.HandshakePosition)
        /// Bytes of a request's head that were read.
        case head(Int)
        /// Bytes of a request's body, as framed, that were read.
        case body(Int)
    }

    init(_ effects: [ConnectionEffect], connection: Int) {
        self.effects = effects.filter { $0.connections?.contains(connection) ?? true }
        wasPlayed = Array(repeating: false, count: self.effects.count)
    }

    var isEmpty: Bool { effects.isEmpty }

    /// Whether the handshake has to be played step by step.
    var hasHandshakeEffects: Bool {
        effects.contains { effect in
            if case .handshake = effect.position { true } else { false }
        }
    }

    /// Takes the next effect that is due, in the order of the file.
    mutating func next(at position: Position) -> ConnectionEffect? {
        for (index, effect) in effects.enumerated() where isOpen(index) && effect.position.isDue(at: position) {
            wasPlayed[index] = true
            return effect
        }
        return nil
    }

    /// How many bytes may be read before the next effect is due.
    func allowance(at position: Position) -> Int {
        var allowance = Int.max
        for (index, effect) in effects.enumerated() where isOpen(index) {
            guard let distance = effect.position.distance(from: position) else { continue }
            allowance = min(allowance, max(1, distance))
        }
        return allowance
    }

    /// Whether an effect may still be played where the connection stands.
    private func isOpen(_ index: Int) -> Bool {
        guard !wasPlayed[index] else { return false }
        guard effects[index].position.isOfRequests, let requests = effects[index].requests else { return true }
        return requests.contains(request)
    }

    /// A new request begins; what belongs to requests can be played again.
    mutating func beginRequest() {
        request += 1
        for (index, effect) in effects.enumerated() where effect.position.isOfRequests { wasPlayed[index] = false }
    }
}

extension ConnectionEffect.Position {
    fileprivate func isDue(at position: ConnectionScript.Position) -> Bool {
        switch (self, position) {
        case (.accept, .accepted): true
        case (.handshake(let place), .handshake(let moment)): place == moment
        case (.requestHead(let offset), .head(let read)): read >= offset
        case (.requestBody(let offset), .body(let read)): read >= offset
        default: false
        }
    }

    /// Others happen once on a connection, before any request.
    fileprivate var isOfRequests: Bool {
        switch self {
        case .accept, .handshake: false
        case .requestHead, .requestBody: true
        }
    }

    fileprivate func distance(from position: ConnectionScript.Position) -> Int? {
        switch (self, position) {
        case (.requestHead(let offset), .head(let read)): offset - read
        case (.requestBody(let offset), .body(let read)): offset - read
        default: nil
        }
    }

    /// As a fixture writes it.
    var text: String {
        switch self {
        case .accept: "accept"
        case .handshake(let place): "handshake \(place.rawValue)"
        case .requestHead(0): "request-head"
        case .requestHead(let offset): "request-head \(offset)"
        case .requestBody(let offset): "request-body \(offset)"
        }
    }
}

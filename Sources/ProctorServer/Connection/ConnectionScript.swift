internal import ProctorScenario

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

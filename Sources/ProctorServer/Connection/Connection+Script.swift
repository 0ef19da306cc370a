internal import ProctorScenario
internal import ProctorTLS
internal import ProctorTrace

extension Connection {
    /// Plays the connection effects that are due where the connection stands.
    func playScript() async throws(ConnectionEnd) {
        guard script != nil else { return }
        try await playScript(at: hasBegun ? scriptPosition : .accepted)
        hasBegun = true
    }

    /// The same for one position; `session` is the one whose handshake goes on.
    func playScript(
        at position: ConnectionScript.Position, in session: TLSSession? = nil
    ) async throws(ConnectionEnd) {
        while let effect = script?.next(at: position) {
            var player = Player(socket: socket, bounds: bounds)
            player.handshaking = session
            if case .origin(let stage, _) = endpoint {
                player.sync = SyncDesk(board: stage.board) { self.note($0) }
            }
            let action = bound(effect.action)
            note(.effectPlayed(action: action.text, position: effect.position.text))
            try await player.perform(action)
            if player.isTruncating { isTruncating = true }
            if player.isHalfClosed {
                try await awaitPeer()
                throw .oursDone(.closed)
            }
        }
    }

    /// Only a run has connection effects, so its addresses do not depend on a request.
    private func bound(_ action: Effect.Action) -> Effect.Action {
        guard case .origin(let stage, let origin) = endpoint, case .origins = stage.addresses,
            let addresses = stage.addresses.boundToOrigins
        else { return action }
        var binding = ReplyPlanner.Binding(context: addresses.context(origin: origin))
        return binding.bound(action)
    }
}

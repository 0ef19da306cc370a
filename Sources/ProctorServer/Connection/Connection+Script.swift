internal import ProctorScenario
internal import ProctorTrace

extension Connection {
    /// Plays the connection effects that are due where the connection stands.
    func playScript() async throws(ConnectionEnd) {
        guard script != nil else { return }
        let position: ConnectionScript.Position = hasBegun ? scriptPosition : .accepted
        while let effect = script?.next(at: position) {
            var player = Player(socket: socket, bounds: bounds)
            if case .origin(let stage, _) = endpoint {
                player.sync = SyncDesk(board: stage.board) { self.note($0) }
            }
            let action = bound(effect.action)
            note(.effectPlayed(action: action.text, position: effect.position.text))
            try await player.perform(action)
            if player.isHalfClosed {
                try await player.awaitPeer()
                throw .oursDone(.closed)
            }
        }
        hasBegun = true
    }

    /// Only a run has connection effects, so its addresses do not depend on a request.
    private func bound(_ action: Effect.Action) -> Effect.Action {
        guard case .origin(let stage, let origin) = endpoint, case .origins(let authorities) = stage.addresses else {
            return action
        }
        let addresses = BoundAddresses(authorityKey: [], path: [], authorities: authorities)
        var binding = ReplyPlanner.Binding(context: addresses.context(origin: origin))
        return binding.bound(action)
    }
}

package import ProctorLoop
package import ProctorReplies
internal import ProctorScenario

extension Connection: RequestConnection {
    package var loop: EventLoop { socket.loop }
    package var peer: SocketAddress { socket.peer }
    package var local: SocketAddress { socket.local }

    package func didEnter(_ stage: Stage, origin: Int?, numberInOrigin: Int, number: Int, isNew: Bool) {
        if stage.cookies != nil { stage.transport?.watch(self) }
        guard let origin else { return }
        if isNew { setEffects(stage.scenario.origins[origin].connectionEffects, number: numberInOrigin) }
        carrier?.noteTunnel(to: origin, of: stage, as: number)
    }

    /// `number` is the connection's at its origin.
    private func setEffects(_ program: [ConnectionEffect], number: Int) {
        guard !program.isEmpty else { return }
        let effects = effects ?? ConnectionEffectPlayer(of: self)
        effects.setScript(program, connection: number)
        self.effects = effects
    }
}

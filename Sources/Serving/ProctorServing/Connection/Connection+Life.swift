internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

extension Connection {
    /// The effects that end connections of its origin by time.
    private var ends: [ConnectionEffect] {
        guard case .origin(let stage, let origin) = endpoint else { return [] }
        return stage.scenario.origins[origin].connectionEffects.filter { $0.delay != nil }
    }

    var endsByTime: Bool { !ends.isEmpty }

    /// Serves the connection until it ends, or until an effect ends it by time.
    func serveForItsTime() async {
        let ends = ends
        guard !ends.isEmpty else { return await serve() }
        await serveUntilTime(of: ends)
    }

    private func serveUntilTime(of ends: [ConnectionEffect]) async {
        let loop = socket.loop
        let held = LoopBound<Connection?>(nil, on: loop)
        held.value = self
        await withDiscardingTaskGroup { group in
            for effect in ends {
                group.addTask(executorPreference: loop) {
                    guard await loop.sleep(for: effect.delay ?? .zero) else { return }
                    held.value?.endConnection(by: effect)
                }
            }
            await serve()
            group.cancelAll()
        }
        held.value = nil
    }

    /// Ends the connection, whatever waits on it; nothing once it has ended.
    private func endConnection(by effect: ConnectionEffect) {
        guard !socket.isClosed, input.endByTime == nil, effect.connections?.contains(effects.number) ?? true else {
            return
        }
        journals.append(.effectPlayed(effect.action.row.played(at: effect.position.text)))
        input.endByTime = socket.endByTime(effect.action)
    }
}

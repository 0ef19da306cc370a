internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

/// How a connection enters the journals of its origin, and of the stages that its requests lead to.
extension Connection {
    func enterJournals() {
        switch endpoint {
        case .origin(let stage, let origin): attach(to: stage, origin: origin)
        case .namesProxy(let stage, _): attach(to: stage, origin: nil)
        case .shared(let port):
            let log = port.log
            let number = log.admitConnection()
            _ = journals.add(
                .init(journal: log.journal, epoch: 0, number: number, memory: nil, takesFrames: false))
            log.journal.append(connection: number, opened(at: "shared"))
        }
    }

    /// This connection's number in the stage's journal; opens the connection there when it is new.
    ///
    /// `origin` is nil for a connection that leads to every name of the stage and so belongs to no single origin.
    @discardableResult
    func attach(to stage: Stage, origin: Int?) -> ConnectionJournals.Attachment {
        if let attachment = journals.attachment(to: stage) { return attachment }
        if origin != nil { carrier?.attachAsCarrier(to: stage) }
        let numbers = stage.admitConnection(origin: origin)
        let attachment = ConnectionJournals.Attachment(
            journal: stage.journal, epoch: numbers.epoch, number: numbers.inStage,
            memory: ConnectionMemory(stage.compiled))
        let isNew = journals.add(attachment)
        if stage.cookies != nil { stage.transport?.watch(self) }
        if let origin {
            if isNew {
                setEffects(stage.scenario.origins[origin].connectionEffects, number: numbers.inOrigin)
            }
            carrier?.noteTunnel(to: origin, of: stage, as: numbers.inStage)
        }
        stage.journal.append(
            epoch: numbers.epoch, connection: numbers.inStage,
            opened(at: origin.map { stage.scenario.origins[$0].name } ?? "names"))
        return attachment
    }

    /// `number` is the connection's at its origin.
    private func setEffects(_ program: [ConnectionEffect], number: Int) {
        guard !program.isEmpty else { return }
        let effects = effects ?? ConnectionEffectPlayer(of: self)
        effects.setScript(program, connection: number)
        self.effects = effects
    }

    private func opened(at origin: String) -> JournalEvent {
        let socket = clientSocket ?? socket
        return .connectionOpened(origin: origin, peer: socket.peer.description, local: socket.local.description)
    }

    /// Ends a connection beyond the run's bound of connections.
    func turnAwayBeyondBound() throws(ConnectionEnd) {
        guard let stage = endpoint.stage, let number = journals.first?.number else { return }
        let (isBeyond, bound) = stage.isBeyondBound(connection: number)
        if let bound { journals.append(.boundReached(bound)) }
        if isBeyond { throw .serverCloses }
    }

    /// Notes that the client is told to ask over HTTP/1.1 for a scenario that has its bytes (RFC 9113 §7,
    /// HTTP_1_1_REQUIRED).
    func logRefusal(_ refusal: ProtocolRefusal, of head: RequestHead, _ stage: Stage, origin: Int) {
        let log = RequestLog(stage, attach(to: stage, origin: origin), noting: head)
        let why = "over HTTP/2 the exchange is refused, and the client told to use HTTP/1.1: \(refusal)"
        log.append(.missed(Miss(nearestExchange: nil, differences: [why])))
    }
}

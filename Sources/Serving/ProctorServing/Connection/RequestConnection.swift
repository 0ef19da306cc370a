internal import ProctorBase
internal import ProctorHTTP
package import ProctorJournal
package import ProctorLoop
package import ProctorReplies
internal import ProctorScenario

/// A connection as the requests on it know it, whatever carries its bytes: a TCP socket, a tunnel, or datagrams of QUIC;
/// on the loop's thread only.
package protocol RequestConnection: AnyObject {
    var loop: EventLoop { get }
    var endpoint: Endpoint { get }
    var bounds: ConnectionBounds { get }
    var journals: ConnectionJournals { get }
    var scheme: Scheme { get }
    /// Whether the server is about to stop.
    var isStopping: Bool { get }
    var peer: SocketAddress { get }
    var local: SocketAddress { get }
    /// The connection where a socket carries it; nil over QUIC.
    var overSocket: Connection? { get }
    /// The socket of the client's own connection; nil: none.
    var clientSocket: Socket? { get }
    /// What carries this connection in a tunnel; nil for one that was accepted.
    var carrier: (any Wire)? { get }
    /// How many tunnels lead to here.
    var depth: Int { get }
    /// The beginning of a connection to a proxy of SOCKS, whose replies are no HTTP; nil: they are.
    var socks: SOCKSConnection? { get }
    /// What the handshake agreed on; nil without TLS.
    var secured: HandshakeNote? { get }
    /// What TLS has settled; nil without TLS.
    var securityFacts: SecurityFacts? { get }
    /// False where the fixture itself leads the client to another name.
    var checksHost: Bool { get }
    /// The scenario asked for last, on a connection to the shared port.
    var mount: KnownMount? { get set }

    /// The connection has entered the journal of a stage; `numberInOrigin` is its number there, `isNew` tells that no
    /// earlier epoch of that journal knows it.
    func didEnter(_ stage: Stage, origin: Int?, numberInOrigin: Int, number: Int, isNew: Bool)
}

// MARK: Journals

/// How a connection enters the journals of its origin, and of the stages that its requests lead to.
extension RequestConnection {
    package func enterJournals() {
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
    package func attach(to stage: Stage, origin: Int?) -> ConnectionJournals.Attachment {
        if let attachment = journals.attachment(to: stage) { return attachment }
        if origin != nil { carrier?.attachAsCarrier(to: stage) }
        let numbers = stage.admitConnection(origin: origin)
        let attachment = ConnectionJournals.Attachment(
            journal: stage.journal, epoch: numbers.epoch, number: numbers.inStage,
            memory: ConnectionMemory(stage.compiled))
        let isNew = journals.add(attachment)
        didEnter(stage, origin: origin, numberInOrigin: numbers.inOrigin, number: numbers.inStage, isNew: isNew)
        stage.journal.append(
            epoch: numbers.epoch, connection: numbers.inStage,
            opened(at: origin.map { stage.scenario.origins[$0].name } ?? "names"))
        return attachment
    }

    private func opened(at origin: String) -> JournalEvent {
        .connectionOpened(
            origin: origin, peer: (clientSocket?.peer ?? peer).description,
            local: (clientSocket?.local ?? local).description)
    }

    /// Ends a connection beyond the run's bound of connections.
    package func turnAwayBeyondBound() throws(ConnectionEnd) {
        guard let stage = endpoint.stage, let number = journals.first?.number else { return }
        let (isBeyond, bound) = stage.isBeyondBound(connection: number)
        if let bound { journals.append(.boundReached(bound)) }
        if isBeyond { throw .serverCloses }
    }
}

/// What the loader wants done; the shell does it in this order after the loader's state is stored.
public enum LoadAction: Sendable, Equatable {
    /// Begin an exchange; on a new connection when it is a second try.
    case send(ClientRequest, onNewConnection: Bool)
    /// Ask the proxy for a tunnel by this request, whose method is CONNECT and whose URL says whom to.
    case openTunnel(ClientRequest)
    /// Read the rest of the reply and throw it away, or close the connection where that is cheaper; then `drained`.
    case drain
    /// Give the exchange up, with its connection.
    case abort
    /// Go on with the handshake that waits for it.
    case answerHandshake(HandshakeAnswer)
    /// Tell the client.
    case tell(ClientNotice)
}

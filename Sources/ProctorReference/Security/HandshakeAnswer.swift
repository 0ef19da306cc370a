/// How a handshake goes on that waits for an answer.
public enum HandshakeAnswer: Sendable, Equatable {
    /// With this server, whatever the verdict.
    case trust
    /// Not at all: the server is told so by an alert, and the load fails by the verdict.
    case distrust
    /// As this client.
    case identify(LoadIdentity)
    /// As nobody.
    case stayAnonymous
    /// As the one that the configuration names, or that this server has let in before; else as nobody.
    case identifyByDefault
}

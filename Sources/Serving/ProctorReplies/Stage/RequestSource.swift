package import ProctorHTTP
package import ProctorJournal

/// What carries a request, as far as values of replies and scripts ask for it.
package protocol RequestSource: AnyObject {
    /// The ends of the socket as their addresses are written, and the host of the peer; nil without a socket.
    var socketNames: (peer: String, peerHost: String?, local: String)? { get }
    /// What the handshake agreed on; nil without TLS.
    var secured: HandshakeNote? { get }
    /// What TLS has settled; nil without TLS.
    var securityFacts: SecurityFacts? { get }
    /// The head as it came, before a proxy has changed it; nil before it has come.
    var receivedHead: RequestHead? { get }
    /// The content as far as it has come.
    var receivedBody: RequestBody { get }
}

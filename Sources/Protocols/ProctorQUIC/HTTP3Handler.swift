internal import ProctorHTTP
package import ProctorHTTP3
package import ProctorQUICLink

/// A server's HTTP/3 over one connection of QUIC; loop thread only.
package final class HTTP3Handler: QUICConnectionHandler {
    package let session: HTTP3Session
    private let context: QUICServerContext
    private let handle: (QUICEvent, HTTP3Session) -> Void

    /// `handle` gets each event that is none of a stream's bytes, resets and stops: the end of the handshake, what was
    /// acknowledged, streams that are over, and the end.
    ///
    /// The certificate of every connection is `context`.
    package init(
        _ session: HTTP3Session, context: QUICServerContext, handle: @escaping (QUICEvent, HTTP3Session) -> Void
    ) {
        (self.session, self.context, self.handle) = (session, context, handle)
    }

    package func receive(_ event: QUICEvent, on connection: any QUICLink) {
        switch event {
        case .received(let stream, let bytes, let ends): session.receive(bytes.span, on: stream, ends: ends)
        case .reset(let stream, let code): session.receiveReset(stream, HTTP3Code(rawValue: code))
        case .stopped(let stream, let code): session.receiveStop(stream, HTTP3Code(rawValue: code))
        case .helloReceived: connection.beginHandshake(context)
        case .handshakeCompleted:
            session.open()
            handle(event, session)
        case .acknowledged, .windowGrown, .hasRoom, .streamClosed, .ended: handle(event, session)
        case .asksForTrust, .asksForIdentity, .streamsPermitted, .rested: break
        }
    }
}

extension QUICConnection: HTTP3Carrier {
    package var isOver: Bool { end != nil }

    package func sendData(_ head: [UInt8], _ content: ArraySlice<UInt8>, on stream: UInt64, ends: Bool) {
        send(head, content, on: stream, ends: ends)
    }

    package func close(code: UInt64, reason: String) { close(.application(code, reason: reason)) }
}

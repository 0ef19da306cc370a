/// A place in a server's flight of a handshake, just before the first byte of what it names.
public enum HandshakePosition: String, Sendable, Hashable, CaseIterable {
    /// The ClientHello was read, nothing was sent.
    case serverHello = "server-hello"
    /// Behind ServerHello, and ChangeCipherSpec where TLS 1.3 sends one for old middleboxes.
    case afterServerHello = "after-server-hello"
    /// Before Certificate; nowhere in a resumption.
    case certificate
    /// Before the server's Finished, in its own record.
    case finished
    /// The handshake is complete on our side; no application data was sent.
    case end
}

/// A fault of the next record that is sent.
public enum TLSRecordFault: Sendable, Hashable {
    /// Its first half goes out, and nothing ever after.
    case truncated
    /// Its last byte is changed, so that its MAC, if it has one, is wrong.
    case badMAC
}

internal import ProctorServer
internal import ProctorTLS

#if PROCTOR_QUIC
    internal import ProctorQUIC
#endif

extension ServerConfiguration {
    /// The default with the modules that this program registers, a line each.
    static var ofProgram: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.quic = quicTransport
        return configuration
    }

    /// nil in a build without libngtcp2.
    private static var quicTransport: (any QUICTransport)? {
        #if PROCTOR_QUIC
            NGTCP2Transport()
        #else
            nil
        #endif
    }
}

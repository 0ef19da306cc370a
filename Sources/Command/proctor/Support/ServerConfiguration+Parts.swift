internal import ProctorServer

#if PROCTOR_QUIC
    internal import ProctorQUIC
#endif

extension ServerConfiguration {
    /// The default with the modules that this program registers, a line each.
    static var ofProgram: ServerConfiguration {
        var configuration = ServerConfiguration()
        #if PROCTOR_QUIC
            configuration.quic = NGTCP2Transport()
        #endif
        return configuration
    }
}

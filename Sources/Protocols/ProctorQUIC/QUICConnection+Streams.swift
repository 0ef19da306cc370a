internal import CNGTCP2

// How streams begin, and how one direction of them ends early.
extension QUICConnection {
    /// Opens a unidirectional stream; nil if the peer permits none.
    package func openStream() -> UInt64? {
        guard let conn = unsafe conn else { return nil }
        var stream: Int64 = 0
        return unsafe ngtcp2_conn_open_uni_stream(conn, &stream, nil) == 0 ? UInt64(stream) : nil
    }

    package func openRequestStream() -> UInt64? {
        guard let conn = unsafe conn else { return nil }
        var stream: Int64 = 0
        return unsafe ngtcp2_conn_open_bidi_stream(conn, &stream, nil) == 0 ? UInt64(stream) : nil
    }

    package var requestStreamsLeft: Int {
        guard let conn = unsafe conn else { return 0 }
        return Int(clamping: unsafe ngtcp2_conn_get_streams_bidi_left(conn))
    }

    /// Sends RESET_STREAM, and drops what waits on the stream.
    package func reset(_ stream: UInt64, code: UInt64) {
        guard let conn = unsafe conn else { return }
        dropOutput(stream)
        unsafe _ = ngtcp2_conn_shutdown_stream_write(conn, Int64(stream), code)
    }

    /// Sends STOP_SENDING.
    package func stop(_ stream: UInt64, code: UInt64) {
        guard let conn = unsafe conn else { return }
        unsafe _ = ngtcp2_conn_shutdown_stream_read(conn, Int64(stream), code)
    }
}

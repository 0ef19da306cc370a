internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Socket {
    /// A connection whose two ends this process holds; the caller closes both.
    ///
    /// It is TCP at the loopback address, so that each end sees FIN and RST of the other. The system keeps about
    /// `bufferByteCount` bytes for each end and direction, and no more, so that an end that does not read soon makes the
    /// other wait.
    package static func pair(
        on loop: EventLoop, bufferByteCount: Int
    ) async throws(SocketError) -> (near: Socket, far: Socket) {
        let listener: Listener
        do throws(CallFailure) {
            listener = try Listener(
                on: loop, address: .ipv4(host: "127.0.0.1", port: 0), receiveBufferByteCount: bufferByteCount)
        } catch {
            throw .failed(error)
        }
        defer { listener.close() }
        let far = try await connect(to: listener.address, on: loop)
        far.boundBuffers(to: bufferByteCount)
        // Another process can find the port while it is listened on.
        while let near = await listener.accept() {
            guard near.peer == far.local else {
                near.close()
                continue
            }
            near.boundBuffers(to: bufferByteCount)
            return (near, far)
        }
        far.close()
        throw .cancelled
    }

    private func boundBuffers(to byteCount: Int) {
        setOption(SO_SNDBUF, at: SOL_SOCKET, of: descriptor, to: Int32(clamping: byteCount))
        boundReceiveBuffer(of: descriptor, to: byteCount)
    }
}

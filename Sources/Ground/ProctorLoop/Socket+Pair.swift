internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Socket {
    /// A connection of which this process holds both ends; the caller closes both.
    ///
    /// It is TCP over loopback, so that each end receives FIN and RST of the other. For each end and direction the
    /// system stores about `bufferByteCount` bytes and no more, so an end that does not read soon makes the other one
    /// wait.
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
        // Another process may connect to the port while it listens.
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

internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Socket {
    /// Connects to an address without blocking the loop; the caller closes the socket.
    ///
    /// Cancelling the task ends the attempt. The caller checks whether the address may be contacted at all.
    package static func connect(
        to address: SocketAddress, on loop: EventLoop, within limit: UInt64 = .max
    ) async throws(SocketError) -> Socket {
        let deadline = deadline(within: limit)
        return try await connect(to: address, on: loop) {
            let now = MonotonicClock.nanoseconds
            return now < deadline ? deadline - now : nil
        }
    }

    /// Like ``connect(to:on:within:)``, with a time limit that may change.
    ///
    /// `nap` returns the nanoseconds after which it is called again; if it returns nil, the attempt times out.
    package static func connect(
        to address: SocketAddress, on loop: EventLoop, nap: () -> UInt64?
    ) async throws(SocketError) -> Socket {
        loop.preconditionOnLoop()
        let socket = try await begun(address, on: loop, nap)
        let failure = await withTaskCancellationHandler {
            await socket.untilConnected(nap)
        } onCancel: {
            socket.cancel()
        }
        guard let failure else { return socket }
        socket.close()
        throw failure
    }

    /// Begins to connect; retries while the queue of a Unix listener is full, since the system does not wait for that.
    private static func begun(
        _ address: SocketAddress, on loop: EventLoop, _ nap: () -> UInt64?
    ) async throws(SocketError) -> Socket {
        while true {
            do throws(CallFailure) {
                return try startConnecting(address, on: loop)
            } catch {
                guard address.port == nil, error.code == EAGAIN else { throw .failed(error) }
            }
            guard let left = nap() else { throw .timedOut }
            guard await loop.sleep(for: .nanoseconds(Int64(min(left, queuePause)))) else { throw .cancelled }
        }
    }

    /// Nanoseconds between two attempts.
    private static let queuePause: UInt64 = 5_000_000

    private static func startConnecting(_ address: SocketAddress, on loop: EventLoop) throws(CallFailure) -> Socket {
        let descriptor = makeSocket(family: address.family, SOCK_STREAM)
        guard descriptor >= 0 else { throw .system("socket") }
        if address.port != nil { sendWithoutDelay(descriptor) }
        do throws(CallFailure) {
            let result = try beginConnecting(descriptor, to: address)
            switch Int32(-result) {
            // The system continues an interrupted connect (POSIX).
            case 0, EINPROGRESS, EINTR: break
            case let code: throw .system("connect to \(address)", code: code)
            }
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
        return try Socket(
            descriptor: descriptor, loop: loop, peer: address,
            local: SocketAddress.ofSocket(descriptor, peer: false))
    }

    private func untilConnected(_ nap: () -> UInt64?) async -> SocketError? {
        do throws(SocketError) {
            while true {
                try await waitToWrite(nap)
                let code = pendingError(of: descriptor)
                if code != 0 { return .failed(.system("connect to \(peer)", code: code)) }
                if isConnected(descriptor) { break }
            }
        } catch {
            return error
        }
        // A socket can connect to itself at a free port of the ephemeral range (RFC 9293 §3.5, figure 7).
        if case .unix = peer { return nil }
        return local == peer ? .failed(.system("connect to \(peer)", code: ECONNREFUSED)) : nil
    }

    private func waitToWrite(_ nap: () -> UInt64?) async throws(SocketError) {
        while let limit = nap() {
            do throws(SocketError) {
                return try await wait(for: .writing, until: Self.deadline(within: limit))
            } catch {
                guard error == .timedOut else { throw error }
            }
        }
        throw .timedOut
    }
}

extension CallFailure {
    /// Whether the peer reset a connection that it had accepted; if nothing listens, the error is ECONNREFUSED.
    package var isReset: Bool { code == ECONNRESET }
}

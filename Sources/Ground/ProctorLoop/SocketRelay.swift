internal import ProctorBase

/// Carries the bytes of two sockets to one another; loop thread only.
///
/// FIN of one becomes FIN of the other, with its layer's close_notify before it, and RST becomes RST. The relay owns both
/// sockets, and closes them when both directions have ended, or one has failed.
package final class SocketRelay: Sendable {
    private let near: Socket
    private let far: Socket
    private let limits: Limits
    private let loopState: LoopBound<State>

    /// In nanoseconds; `.max`: no limit.
    package struct Limits: Sendable {
        /// How long one write may wait for room.
        package var progress: UInt64
        /// How long the far socket may stay open when the near one has ended its half.
        package var closing: UInt64

        package init(progress: UInt64 = .max, closing: UInt64 = .max) {
            (self.progress, self.closing) = (progress, closing)
        }
    }

    private final class State {
        var openDirections = 2
        let pause: LoopPause

        init(on loop: EventLoop) { pause = LoopPause(on: loop) }
    }

    /// The most bytes that are carried at once.
    private static let pieceByteCount = 16 << 10

    package init(_ near: Socket, _ far: Socket, _ limits: Limits = Limits()) {
        (self.near, self.far, self.limits) = (near, far, limits)
        loopState = LoopBound(State(on: near.loop), on: near.loop)
    }

    /// Call it once; it returns when both sockets are closed.
    package func run() async {
        async let back: Void = carry(from: far, to: near)
        await carry(from: near, to: far)
        await wait(within: limits.closing)
        await back
        close()
    }

    /// Gives the direction that is still open this time, and closes both sockets then.
    private func wait(within limit: UInt64) async {
        guard loopState.value.openDirections > 0 else { return }
        if await !loopState.value.pause.wait(until: Socket.deadline(within: limit)) { close() }
    }

    private func close() {
        near.close()
        far.close()
    }

    private func carry(from source: Socket, to target: Socket) async {
        do throws(SocketError) {
            while let bytes = try await source.read(upTo: Self.pieceByteCount, { $0.array }) {
                try await target.write(bytes, within: limits.progress)
            }
            target.halfClose()
        } catch {
            if source.wasReset, !target.isClosed { target.reset() }
            if target.wasReset, !source.isClosed { source.reset() }
            close()
        }
        loopState.value.openDirections -= 1
        if loopState.value.openDirections == 0 { loopState.value.pause.resume() }
    }
}

import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

/// What a tap is told of a socket.
@Suite(.limit(minutes: 5))
struct SocketTapTests {
    /// On the loop's thread only.
    private final class Notes: SocketTap {
        var bytes: [UInt8] = []
        var ends: [String] = []

        func didSend(_ bytes: ArraySlice<UInt8>) { self.bytes += bytes }
        func didHalfClose(sendingCloseNotify: Bool) { ends.append("half, notify \(sendingCloseNotify)") }
        func didClose(byReset: Bool) { ends.append(byReset ? "reset" : "close") }
    }

    @Test(arguments: [false, true])
    func `every way of writing is told as plaintext, in order`(hasLayer: Bool) async throws {
        let path = temporaryPath("tap")
        try write(pattern(2_000), to: path)
        let (bytes, ends) = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            let notes = Notes()
            pair.ours.tap = notes
            if hasLayer { pair.ours.layer = MirrorLayer() }
            #expect(pair.ours.writeAtOnce([1, 2]) == 2)
            try await pair.ours.write([3, 4], within: patience)
            try await pair.ours.write([[5], [], [6, 7]], within: patience)
            let file = try OpenFile(path: path)
            var sent = 0
            while sent < 2_000 {
                sent += try await pair.ours.sendSome(of: file, from: sent, byteCount: 2_000 - sent, within: patience)
            }
            pair.ours.halfClose()
            pair.ours.close()
            return (notes.bytes, notes.ends)
        }
        #expect(bytes == [1, 2, 3, 4, 5, 6, 7] + pattern(2_000))
        #expect(ends == ["half, notify \(hasLayer)", "close"])
    }

    @Test func `a reset is told once`() async throws {
        let ends = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            let notes = Notes()
            pair.ours.tap = notes
            pair.ours.reset()
            pair.ours.close()
            return notes.ends
        }
        #expect(ends == ["reset"])
    }
}

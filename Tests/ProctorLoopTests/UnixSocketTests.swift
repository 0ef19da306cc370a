import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite(.limit(minutes: 5))
struct UnixSocketTests {
    @Test func `a Unix socket carries bytes, and its file goes with the listener`() async throws {
        let path = temporaryPath("carries.sock")
        try await onLoop { loop in
            let listener = try Listener(on: loop, address: .unix(path: path))
            #expect(exists(path))
            let peer = try await Socket.connect(to: .unix(path: path), on: loop, within: patience)
            let ours = try #require(await listener.accept())
            listener.close()
            #expect(!exists(path))
            let sent = pattern(400_000)
            async let got = ours.takeAll()
            try await peer.write(sent, within: patience)
            peer.close()
            #expect(try await got == sent)
            ours.close()
        }
    }

    @Test func `a stale file without a listening process is replaced`() async throws {
        let path = temporaryPath("stale.sock")
        try await onLoop { loop in
            // As after a crash of the server: the file exists, and no process listens.
            closeDescriptor(try Bind.socket(at: .unix(path: path), for: .holding))
            #expect(exists(path))
            let listener = try Listener(on: loop, address: .unix(path: path))
            let peer = try await Socket.connect(to: .unix(path: path), on: loop, within: patience)
            peer.close()
            listener.close()
            #expect(!exists(path))
        }
    }

    @Test func `a live Unix socket is refused and lives on`() async throws {
        let path = temporaryPath("live.sock")
        try await onLoop { loop in
            let listener = try Listener(on: loop, address: .unix(path: path))
            defer { listener.close() }
            #expect(listenFailure(on: loop, .unix(path: path))?.code == EADDRINUSE)
            #expect(exists(path))
            let peer = try await Socket.connect(to: .unix(path: path), on: loop, within: patience)
            peer.close()
        }
    }

    @Test func `a file that is no socket is refused and left alone`() async throws {
        let path = temporaryPath("plain.txt")
        try write([1, 2, 3], to: path)
        defer { unsafe unlink(path) }
        let code = try await onLoop { loop in listenFailure(on: loop, .unix(path: path))?.code }
        #expect(code == EADDRINUSE)
        #expect(exists(path))
    }

    @Test func `connecting where no socket stands fails`() async throws {
        let path = temporaryPath("nothing.sock")
        let error = try await onLoop { loop in
            await failure { () async throws(SocketError) in
                try await Socket.connect(to: .unix(path: path), on: loop, within: patience).close()
            }
        }
        #expect(error == .failed(.system("connect to \(path)", code: ENOENT)))
    }

    private func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

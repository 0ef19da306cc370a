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
struct ConnectTests {
    @Test func `a connection to a listener that accepts none succeeds`() async throws {
        try await onLoop { loop in
            let listener = try Listener(on: loop, address: loopback)
            let socket = try await Socket.connect(to: listener.address, on: loop, within: patience)
            #expect(socket.peer == listener.address)
            #expect(socket.local.port != 0)
            socket.close()
            listener.close()
        }
    }

    @Test func `a full backlog times out`() async throws {
        let error = try await onLoop { loop -> SocketError? in
            // Backlog 0 takes one connection; the system drops what comes after it.
            let descriptor = try Bind.socket(at: loopback, for: .listening(sharesPort: false))
            defer { closeDescriptor(descriptor) }
            #expect(listen(descriptor, 0) == 0)
            let address = SocketAddress.ofSocket(descriptor, peer: false)
            var sockets: [Socket] = []
            defer { for socket in sockets { socket.close() } }
            while sockets.count < 64 {
                do throws(SocketError) {
                    sockets.append(try await Socket.connect(to: address, on: loop, within: 200_000_000))
                } catch {
                    return error
                }
            }
            return nil
        }
        #expect(error == .timedOut)
    }

    @Test func `a cancelled task's attempt ends`() async throws {
        let error = try await onLoop { loop in
            let descriptor = try Bind.socket(at: loopback, for: .listening(sharesPort: false))
            defer { closeDescriptor(descriptor) }
            #expect(listen(descriptor, 0) == 0)
            let address = SocketAddress.ofSocket(descriptor, peer: false)
            let attempts = (0..<64).map { _ in
                Task(executorPreference: loop) { () -> SocketError? in
                    do throws(SocketError) {
                        let socket = try await Socket.connect(to: address, on: loop)
                        socket.close()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            await Task.yield()
            for attempt in attempts { attempt.cancel() }
            var last: SocketError?
            for attempt in attempts { last = await attempt.value ?? last }
            return last
        }
        #expect(error == .cancelled)
    }
}

@Suite(.limit(minutes: 5))
struct HeldPortTests {
    private func connecting(to address: SocketAddress, on loop: EventLoop, within limit: UInt64) async -> SocketError? {
        await failure { () async throws(SocketError) in
            try await Socket.connect(to: address, on: loop, within: limit).close()
        }
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `an attempt at an unreachable port stays an attempt, until the port is free`(host: String) async throws {
        let (attempts, after) = try await onLoop { loop in
            let host = try #require(SocketAddress(host: host, port: 0))
            var port: UnreachablePort? = try await UnreachablePort.open(host: host, on: loop)
            let address = try #require(port?.address)
            var attempts: [SocketError?] = []
            for _ in 0..<3 { attempts.append(await connecting(to: address, on: loop, within: 150_000_000)) }
            port = nil
            return (attempts, await connecting(to: address, on: loop, within: patience))
        }
        #expect(attempts == [.timedOut, .timedOut, .timedOut])
        guard case .failed(let failure) = after else {
            Issue.record("\(String(describing: after))")
            return
        }
        #expect(failure.code == ECONNREFUSED)
    }

    @Test func `a queue that takes more than a few is given up within seconds`() async throws {
        let (text, took) = try await onLoop { loop in
            let start = MonotonicClock.nanoseconds
            do throws(CallFailure) {
                _ = try await UnreachablePort.open(host: loopback, backlog: 128, on: loop)
                return ("", UInt64(0))
            } catch {
                return (error.text, MonotonicClock.nanoseconds - start)
            }
        }
        #expect(text.hasPrefix("the system took 4 connections into the shortest of queues and goes on;"))
        #expect(took >= 1_000_000_000)
    }

    @Test func `an unaccepting port takes what fits into its buffer`() async throws {
        let (small, large) = try await onLoop { loop in
            var taken: [Int] = []
            for byteCount in [4096, 262_144] {
                let port = try UnacceptingPort(host: loopback, receiveBufferByteCount: byteCount)
                let socket = try await Socket.connect(to: port.address, on: loop, within: patience)
                setOption(SO_SNDBUF, at: SOL_SOCKET, of: socket.descriptor, to: 4096)
                taken.append(try await socket.fill())
                socket.close()
            }
            return (taken[0], taken[1])
        }
        #expect(small > 0)
        #expect(small < 65_536)
        #expect(large > small)
    }

    @Test func `a listener's receive buffer is its connections'`() async throws {
        let bounds = try await onLoop { loop in
            var bounds: [Int32] = []
            for byteCount in [4096, 100_000] {
                let listener = try Listener(on: loop, address: loopback, receiveBufferByteCount: byteCount)
                let peer = try await Socket.connect(to: listener.address, on: loop, within: patience)
                let ours = try #require(await listener.accept())
                var bound: Int32 = 0
                var length = socklen_t(MemoryLayout<Int32>.size)
                unsafe getsockopt(ours.descriptor, SOL_SOCKET, SO_RCVBUF, &bound, &length)
                bounds.append(bound)
                ours.close()
                peer.close()
                listener.close()
            }
            return bounds
        }
        // Linux doubles what it is told.
        #expect(bounds == [4096, 100_000] || bounds == [8192, 200_000])
    }
}

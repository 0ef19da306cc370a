import ProctorBase
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite(.timeLimit(.minutes(5)))
struct ConnectTests {
    @Test func `a listener that nobody accepts from is connected to all the same`() async throws {
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

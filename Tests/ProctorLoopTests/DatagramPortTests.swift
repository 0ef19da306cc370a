import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

/// Datagrams between two ports of the loopback.
@Suite(.limit(minutes: 5))
struct DatagramPortTests {
    @Test(arguments: ["127.0.0.1", "::1"])
    func `a datagram comes with its sender, also an empty one`(host: String) async throws {
        let (received, sender) = try await onLoop { loop in
            let host = try #require(SocketAddress(host: host, port: 0))
            let near = try DatagramPort(on: loop, address: host)
            let far = try DatagramPort(on: loop, address: host)
            defer {
                near.close()
                far.close()
            }
            var received: [DatagramPort.Datagram] = []
            for bytes: [UInt8] in [[1, 2, 3], [], [UInt8](repeating: 7, count: 4_000)] {
                near.send(bytes, to: far.address)
                if let datagram = await far.receive() { received.append(datagram) }
            }
            return (received, near.address)
        }
        #expect(received.map(\.bytes.count) == [3, 0, 4_000])
        #expect(received.allSatisfy { $0.sender == sender })
    }

    @Test func `waiting ends at its moment, and the port goes on`() async throws {
        let (first, second, took) = try await onLoop { loop in
            let port = try DatagramPort(on: loop, address: loopback)
            defer { port.close() }
            let start = MonotonicClock.nanoseconds
            let first = await port.receive(until: start + 20_000_000)
            let took = MonotonicClock.nanoseconds - start
            port.send([9], to: port.address)
            return (first?.bytes, await port.receive(until: start + patience)?.bytes, took)
        }
        #expect(first == nil)
        #expect(second == [9])
        #expect(took >= 20_000_000)
    }

    @Test func `a cancelled port and a cancelled task receive nothing more`() async throws {
        let ends = try await onLoop { loop in
            let port = try DatagramPort(on: loop, address: loopback)
            defer { port.close() }
            let waiting = Task(executorPreference: loop) {
                await port.receive(until: MonotonicClock.nanoseconds + patience)?.bytes
            }
            waiting.cancel()
            let ofTask = await waiting.value
            port.cancel()
            return [ofTask, await port.receive()?.bytes]
        }
        #expect(ends == [nil, nil])
    }

    @Test func `an address that is another machine's is refused with its call`() async throws {
        let failure = try await onLoop { loop in
            #expect(throws: CallFailure.self) {
                try DatagramPort(on: loop, address: .ipv4(host: "192.0.2.1", port: 0))
            }
        }
        #expect(failure?.call == "bind 192.0.2.1:0 for UDP")
    }
}

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
struct ListenerTests {
    @Test func `port 0 is a free port, which can be asked for by number later`() async throws {
        let (chosen, again) = try await onLoop { loop in
            try untilNobodyElseHasIt {
                let first = try Listener(on: loop, address: loopback)
                let address = first.address
                first.close()
                let second = try Listener(on: loop, address: address)
                defer { second.close() }
                return (address, second.address)
            }
        }
        #expect(chosen.port != 0)
        #expect(chosen == again)
    }

    @Test func `both ends know each other's address`() async throws {
        try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            #expect(pair.ours.peer == pair.peer.local)
            #expect(pair.ours.local == pair.peer.peer)
            #expect(pair.ours.peer.port != 0)
            pair.close()
        }
    }

    @Test func `who waits when it is cancelled is still accepted, and known to have waited`() async throws {
        let (since, accepted, after) = try await onLoop { loop in
            let listener = try Listener(on: loop, address: loopback)
            defer { listener.close() }
            listener.noteWaiting(at: 1)
            #expect(listener.waitingSince == nil)
            var clients: [Socket] = []
            defer { for client in clients { client.close() } }
            for _ in 0..<3 {
                clients.append(try await Socket.connect(to: listener.address, on: loop, within: patience))
            }
            listener.noteWaiting(at: 2)
            listener.noteWaiting(at: 3)
            let since = listener.waitingSince
            listener.cancel()
            await loop.yieldToOthers()
            var accepted = 0
            while let socket = await listener.accept() {
                accepted += 1
                socket.close()
            }
            return (since, accepted, listener.waitingSince)
        }
        #expect(since == 2)
        #expect(accepted == 3)
        #expect(after == nil)
    }

    @Test func `a busy port fails and names the address`() async throws {
        let (error, address) = try await onLoop { loop in
            let first = try Listener(on: loop, address: loopback)
            defer { first.close() }
            return (listenFailure(on: loop, first.address), first.address)
        }
        #expect(error?.code == EADDRINUSE)
        #expect(error?.call == "bind \(address)")
    }

    @Test func `a host that is no literal address is refused and not every interface taken`() async throws {
        let errors = try await onLoop { loop in
            [
                listenFailure(on: loop, .ipv4(host: "example.com", port: 0)),
                listenFailure(on: loop, .ipv6(host: "127.0.0.1", port: 0)),
                listenFailure(on: loop, .unix(path: "")),
                listenFailure(on: loop, .unix(path: String(repeating: "x", count: 200))),
            ]
        }
        #expect(errors.map { $0?.code } == [EINVAL, EINVAL, EINVAL, ENAMETOOLONG])
        #expect(errors[0]?.description == "address example.com: not a literal IPv4 address (\(EINVAL))")
    }

    @Test func `two loops on one port both accept`() async throws {
        let counts = try await onLoops(3) { loops in
            let first = try Listener(on: loops[0], address: loopback, sharesPort: true)
            let address = first.address
            let (one, two) = (loops[1], loops[2])
            let second = try await one.run { try Listener(on: one, address: address, sharesPort: true) }
            let secondCount = Task(executorPreference: one) { await countAccepted(second) }
            let firstCount = Task(executorPreference: loops[0]) { await countAccepted(first) }
            try await two.run {
                for _ in 0..<200 {
                    let socket = try await Socket.connect(to: address, on: two, within: patience)
                    // The other end closes when it was accepted.
                    _ = try? await socket.read(within: patience) { $0.count }
                    socket.close()
                }
            }
            first.cancel()
            second.cancel()
            return [await firstCount.value, await secondCount.value]
        }
        #expect(counts.reduce(0, +) == 200)
        #expect(counts.allSatisfy { $0 > 0 })
    }

    @Test func `IPv6 loopback`() async throws {
        try await onLoop { loop in
            let pair = try await Pair.make(on: loop, address: .ipv6(host: "::1", port: 0))
            defer { pair.close() }
            #expect(pair.ours.local.description.hasPrefix("[::1]:"))
            try await pair.peer.write([6], within: patience)
            #expect(try await pair.ours.take(1) == [6])
        }
    }

    @Test(arguments: [true, false])
    func `cancel ends accepting, from any thread`(whileWaiting: Bool) async throws {
        let isEnd = try await onLoops(2) { loops in
            let listener = try Listener(on: loops[0], address: loopback)
            defer { listener.close() }
            let other = loops[1]
            if whileWaiting {
                async let accepted = listener.accept()
                try await other.run { listener.cancel() }
                return await accepted == nil
            }
            try await other.run { listener.cancel() }
            return await listener.accept() == nil
        }
        #expect(isEnd)
    }

    @Test func `closing ends accepting, and connections live on`() async throws {
        try await onLoop { loop in
            let listener = try Listener(on: loop, address: loopback)
            let address = listener.address
            let peer = try await Socket.connect(to: address, on: loop, within: patience)
            let ours = try #require(await listener.accept())
            async let accepted = listener.accept()
            async let closing: Void = listener.close()
            #expect(await accepted == nil)
            await closing
            try await peer.write([5], within: patience)
            #expect(try await ours.take(1) == [5])
            ours.close()
            peer.close()
        }
    }

    @Test func `a process without descriptors waits for one to come free`() async throws {
        await #expect(processExitsWith: .success) {
            await withoutDescriptors { listener, fillers in
                var fillers = fillers
                var codes: [Int32] = []
                let socket = await listener.accept { failure in
                    codes.append(failure.code)
                    // Comes free while the listener waits, at the second complaint.
                    if codes.count == 2 { closeDescriptor(fillers.removeLast()) }
                }
                for filler in fillers { closeDescriptor(filler) }
                #expect(codes == [EMFILE, EMFILE], "accept complained with \(codes)")
                try #require(socket, "accept gave up after \(codes)").close()
            }
        }
    }

    @Test func `a cancelled task does not spin when descriptors are exhausted`() async throws {
        await #expect(processExitsWith: .success) {
            await withoutDescriptors { listener, fillers in
                let accepting = Task(executorPreference: listener.loop) {
                    await listener.accept { _ in unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } } == nil
                }
                #expect(await accepting.value, "a connection was accepted")
                for filler in fillers { closeDescriptor(filler) }
            }
        }
    }

    @Test func `a closed port refuses, and cannot be taken by others while it is held`() async throws {
        try await onLoop { loop in
            let port = try ClosedPort(host: loopback)
            let address = port.address
            let error = await failure { () async throws(SocketError) in
                try await Socket.connect(to: address, on: loop, within: patience).close()
            }
            #expect(error == .failed(.system("connect to \(address)", code: ECONNREFUSED)))
            #expect(listenFailure(on: loop, address)?.code == EADDRINUSE)
            withExtendedLifetime(port) {}
        }
    }

    @Test func `a closed port is free after its end`() async throws {
        try await onLoop { loop in
            try untilNobodyElseHasIt {
                let address = try ClosedPort(host: loopback).address
                try Listener(on: loop, address: address).close()
            }
        }
    }
}

func listenFailure(on loop: EventLoop, _ address: SocketAddress) -> CallFailure? {
    do throws(CallFailure) {
        try Listener(on: loop, address: address).close()
        return nil
    } catch {
        return error
    }
}

/// Tries with other ports when one is busy, which a port that we did not give back is every time.
///
/// Between giving a port back and taking it again, any connection of the machine may get it as its own.
private func untilNobodyElseHasIt<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<20 {
        do {
            return try body()
        } catch let failure as CallFailure where failure.code == EADDRINUSE {
            continue
        }
    }
    return try body()
}

/// Accepts and closes until the listener is cancelled.
private func countAccepted(_ listener: Listener) async -> Int {
    defer { listener.close() }
    var count = 0
    while let socket = await listener.accept() {
        socket.close()
        count += 1
    }
    return count
}

/// Gives the calling thread a table of descriptors of its own, a copy of the process's.
///
/// Other threads open and close at any time, the dispatch library's watcher of its pool for one, and would take what
/// comes free here, or give back what was missing. Elsewhere than on Linux 5.9 and later they still do.
private func keepDescriptorsFromOtherThreads() {
    #if !canImport(Darwin)
        // Not unshare(2), which containers forbid; no descriptor is as high as these. Swift's importer sees neither.
        typealias Call = @convention(c) (UInt32, UInt32, Int32) -> Int32
        guard let symbol = unsafe dlsym(nil, "close_range") else { return }
        let closeRangeUnshare: Int32 = 2
        _ = unsafe unsafeBitCast(symbol, to: Call.self)(.max, .max, closeRangeUnshare)
    #endif
}

/// A listener to which a peer has connected, in a process that has used up its descriptors; `body` closes them.
private func withoutDescriptors(
    _ body: @escaping @Sendable (Listener, _ fillers: [Int32]) async throws -> Void
) async {
    await recordingErrors {
        try await onLoop { loop in
            keepDescriptorsFromOtherThreads()
            let listener = try Listener(on: loop, address: loopback)
            defer { listener.close() }
            let peer = try await Socket.connect(to: listener.address, on: loop, within: patience)
            defer { peer.close() }
            try await body(listener, useUpDescriptors())
        }
    }
}

/// Opens descriptors until the system refuses.
private func useUpDescriptors() throws -> [Int32] {
    var limit = rlimit()
    #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
    #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    unsafe getrlimit(resource, &limit)
    limit.rlim_cur = 128
    guard unsafe setrlimit(resource, &limit) == 0 else { throw CallFailure.system("setrlimit") }
    var fillers: [Int32] = []
    while true {
        let descriptor = dup(0)
        guard descriptor >= 0 else { return fillers }
        fillers.append(descriptor)
    }
}

internal import ProctorBase
internal import ProctorHTTP
package import ProctorImport
package import ProctorJournal
package import ProctorLoop
internal import ProctorServing
internal import ProctorTLS

/// A port of this machine that hands requests on to a server behind it, and writes both sides down in a journal.
///
/// Clients speak HTTP/1.0 or 1.1 without TLS; the server those, or HTTP/1.1 or HTTP/2 over TLS. No tunnels, no other protocols.
package final class Gateway: Sendable {
    package let address: SocketAddress
    package let journal: Journal
    private let loop: EventLoop
    private let listener: Listener
    private let counts = Locked(Counts())
    /// The sockets of both sides that are open, which ``run()`` cancels at its end; nil from then on.
    private let sockets = Locked<[ObjectIdentifier: Socket]?>([:])
    let plan: GatewayPlan
    /// nil for a server without TLS.
    let security: TLSClientContext?
    /// The context of TLS without HTTP/2; nil for a server without TLS.
    let securityOfHTTP1: TLSClientContext?
    let contents: ContentFiles
    /// The outcomes by the number of the request; the oldest are forgotten as those of a journal are.
    private let outcomes = Locked<[Int: RecordedOutcome]>([:])

    private struct Counts {
        var connections = 0
        var requests = 0
        var open = 0
    }

    /// The most connections at a time; another one is told so and closed.
    static let connectionLimit = 256
    /// Nanoseconds for the reply to a connection beyond the limit.
    private static let refusalTime: UInt64 = 1_000_000_000

    private static let outcomeLimit = 20_000

    private init(
        _ plan: GatewayPlan, _ security: [TLSClientContext], _ listener: Listener, _ journal: Journal,
        _ contents: ContentFiles
    ) {
        self.plan = plan
        self.security = security.first
        securityOfHTTP1 = security.last
        (self.contents, self.journal, self.listener) = (contents, journal, listener)
        loop = listener.loop
        address = listener.address
    }

    /// Listens at a loopback address; `port` 0 lets the system choose one.
    ///
    /// Throws a ``GatewayRefusal`` where the anchors can't be used, and a `CallFailure` where the port can't.
    package static func start(
        _ plan: GatewayPlan, port: UInt16, journal: Journal, contents: ContentFiles
    ) async throws -> Gateway {
        let security = try security(of: plan)
        let loop = try EventLoop(name: "proctor-gateway")
        do {
            return try await loop.run {
                let listener = try Listener(on: loop, address: .ipv4(host: "127.0.0.1", port: port))
                guard listener.address != plan.upstream.address else {
                    listener.close()
                    throw GatewayRefusal(
                        "\(plan.upstream.url) is the address of the gateway itself; name that of the server behind it")
                }
                return Gateway(plan, security, listener, journal, contents)
            }
        } catch {
            loop.stop()
            await loop.ended()
            throw error
        }
    }

    /// With HTTP/2 and without; empty for a server without TLS.
    private static func security(of plan: GatewayPlan) throws(GatewayRefusal) -> [TLSClientContext] {
        guard plan.upstream.speaksTLS else { return [] }
        // A server of a developer may have an old key.
        var setup = TLSClientSetup(anchors: plan.anchors.map { [$0] } ?? [], securityLevel: 1)
        setup.verifies = plan.anchors != nil
        do throws(TLSSetupError) {
            return try [["h2", "http/1.1"], ["http/1.1"]].map { protocols throws(TLSSetupError) in
                setup.applicationProtocols = protocols
                return try TLSClientContext(setup)
            }
        } catch {
            throw GatewayRefusal("--upstream-ca has no certificate that can be trusted: \(error)")
        }
    }

    /// Serves until the task is cancelled; then open connections are cut, and the port is free.
    package func run() async {
        let (loop, listener) = (loop, listener)
        let task = Task(executorPreference: loop) {
            await withDiscardingTaskGroup { group in
                while let socket = await listener.accept() {
                    let number = self.counts.withLock { counts -> Int? in
                        guard counts.open < Self.connectionLimit else { return nil }
                        counts.open += 1
                        counts.connections += 1
                        return counts.connections - 1
                    }
                    guard let number else {
                        group.addTask {
                            let text =
                                "the gateway has \(Self.connectionLimit) connections open, and takes no more until one ends"
                            try? await socket.write(HandedMessage.own(503, text), within: Self.refusalTime)
                            socket.close()
                        }
                        continue
                    }
                    group.addTask {
                        var connection = GatewayConnection(socket, number: number, of: self)
                        await connection.serve()
                        self.counts.withLock { $0.open -= 1 }
                    }
                }
                group.cancelAll()
                listener.close()
            }
        }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
            listener.cancel()
            let open = sockets.withLock { sockets in
                defer { sockets = nil }
                return sockets
            }
            for socket in (open ?? [:]).values { socket.cancel() }
        }
        loop.stop()
        await loop.ended()
    }

    /// Has the end of the gateway cancel a socket, until ``release(_:)``.
    func cancelAtEnd(_ socket: Socket) {
        let isOver = sockets.withLock { sockets in
            sockets?[ObjectIdentifier(socket)] = socket
            return sockets == nil
        }
        if isOver { socket.cancel() }
    }

    func release(_ socket: Socket) {
        sockets.withLock { $0?[ObjectIdentifier(socket)] = nil }
    }

    /// Why a request is not handed on, as a sentence; nil where Host names this machine or a permitted name, and its page too.
    func refusal(of head: RequestHead) -> String? {
        if let host = head.fields.first(named: "Host") {
            let authority = String(decoding: host, as: UTF8.self)
            let name = authority.lowercased().prefix { $0 != ":" }
            guard address.isReached(atAuthority: authority) || plan.hosts.contains(String(name)) else {
                return
                    "Host names another machine, as it does where a page of the web had its name led here; the gateway "
                    + "answers to localhost, names below it and addresses of this machine; --host NAME permits another name"
            }
        }
        return OutgoingGate.refusal(ofPage: head, at: address, permitting: plan.hosts).map { reason in
            "\(reason); the gateway answers to pages of localhost, names below it and addresses of this machine; "
                + "--host NAME permits those of another name"
        }
    }

    /// What came of each request, beside what the journal has of it.
    package var recorded: [Int: RecordedOutcome] { outcomes.withLock { $0 } }

    func record(_ outcome: RecordedOutcome, ofRequest number: Int) {
        let forgotten = outcomes.withLock { outcomes in
            outcomes[number] = outcome
            return outcomes.removeValue(forKey: number - Self.outcomeLimit)
        }
        if let stored = forgotten?.stored { contents.remove(stored, ofRequest: number - Self.outcomeLimit) }
    }

    /// The number of the next request of all connections.
    func nextRequest() -> Int {
        counts.withLock { counts in
            defer { counts.requests += 1 }
            return counts.requests
        }
    }
}

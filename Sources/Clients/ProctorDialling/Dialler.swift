internal import ProctorDNS
package import ProctorLoop

/// Connects to a host by happy eyeballs: performs what ``DiallingMachine`` says.
package struct Dialler: Sendable {
    private let loop: EventLoop
    private let protocols: Set<String>
    private let fault: DiallingFault?

    package init(on loop: EventLoop, protocols: Set<String>, fault: DiallingFault? = nil) {
        (self.loop, self.protocols, self.fault) = (loop, protocols, fault)
    }

    /// Why no address was reached.
    package struct Failure: Error, Sendable {
        /// In the order in which the attempts ended.
        package var attempts: [(address: SocketAddress, error: SocketError)] = []
        /// What was asked without success, as half sentences.
        package var lookups: [String] = []
    }

    private enum Event<Connection: Sendable>: Sendable {
        case answered(DNSQuestion, DiallingMachine.Answer)
        case timerFired(Int)
        case ended(SocketAddress, Result<Connection, SocketError>)
    }

    /// Runs on the loop; a cancelled task ends all attempts.
    ///
    /// `nap` bounds them as in `Socket.connect`.
    package func dial(
        _ place: HostPlace, nap: @escaping @Sendable () -> UInt64?
    ) async -> Result<Socket, Failure> {
        let loop = loop
        return await dial(place) {
            await Self.connect(to: $0, on: loop, nap)
        } close: {
            $0.close()
        }
    }

    /// Like ``dial(_:nap:)`` with connections of another kind: `connect` tries one address, and `close` ends a connection that came
    /// too late.
    package func dial<Connection: Sendable>(
        _ place: HostPlace, connect: @escaping @Sendable (SocketAddress) async -> Result<Connection, SocketError>,
        close: (Connection) -> Void
    ) async -> Result<Connection, Failure> {
        // One address needs no race.
        if case .addresses(let addresses) = place, let address = addresses.first, addresses.count == 1 {
            return await connect(address).mapError { Failure(attempts: [(address, $0)]) }
        }
        return await withTaskGroup(of: Event<Connection>.self) { group in
            var machine = DiallingMachine(place, protocols: protocols, fault: fault)
            var failure = Failure()
            var winner: Connection?
            var isOver = perform(machine.beginDialling(), in: &group, connect)
            while let event = await group.next() {
                if case .ended(_, .success(let late)) = event, isOver {
                    close(late)
                    continue
                }
                guard !isOver else { continue }
                switch event {
                case .answered(let question, let answer):
                    isOver = perform(machine.answered(question, answer), in: &group, connect)
                case .timerFired(let timer): isOver = perform(machine.timerFired(timer), in: &group, connect)
                case .ended(_, .success(let connection)): (winner, isOver) = (connection, true)
                case .ended(let address, .failure(let error)):
                    failure.attempts.append((address, error))
                    isOver = perform(machine.attemptFailed(), in: &group, connect)
                }
                if isOver { group.cancelAll() }
            }
            if let winner { return .success(winner) }
            failure.lookups = machine.lookupFailures
            return .failure(failure)
        }
    }

    /// Returns whether the dialling has failed.
    private func perform<Connection: Sendable>(
        _ actions: [DiallingMachine.Action], in group: inout TaskGroup<Event<Connection>>,
        _ connect: @escaping @Sendable (SocketAddress) async -> Result<Connection, SocketError>
    ) -> Bool {
        var hasFailed = false
        for action in actions {
            switch action {
            case .ask(let question, let resolver):
                group.addTask(executorPreference: loop) {
                    let client = DNSClient(loop: self.loop, fault: self.fault)
                    return .answered(question, await client.ask(question, of: resolver))
                }
            case .connect(let address):
                group.addTask(executorPreference: loop) { .ended(address, await connect(address)) }
            case .startTimer(let number, let nanoseconds):
                group.addTask(executorPreference: loop) {
                    await self.loop.sleep(for: .nanoseconds(Int64(clamping: nanoseconds)))
                    return .timerFired(number)
                }
            case .fail: hasFailed = true
            }
        }
        return hasFailed
    }

    private static func connect(
        to address: SocketAddress, on loop: EventLoop, _ nap: @escaping @Sendable () -> UInt64?
    ) async -> Result<Socket, SocketError> {
        do throws(SocketError) {
            return .success(try await Socket.connect(to: address, on: loop, nap: nap))
        } catch {
            return .failure(error)
        }
    }
}

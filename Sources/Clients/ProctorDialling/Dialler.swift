internal import ProctorDNS
package import ProctorLoop

/// Connects to a host by happy eyeballs: performs what ``DiallingMachine`` says.
package struct Dialler: Sendable {
    private let loop: EventLoop
    private let protocols: Set<String>
    private let fault: DiallingFault?

    package init(on loop: EventLoop, protocols: Set<String>, fault: DiallingFault? = nil) {
        self.loop = loop
        self.protocols = protocols
        self.fault = fault
    }

    /// Why no address was reached.
    package struct Failure: Error, Sendable {
        /// In the order in which the attempts ended.
        package var attempts: [(address: SocketAddress, error: SocketError)] = []
        /// What was asked without success, as half sentences.
        package var lookups: [String] = []
    }

    private enum Event: Sendable {
        case answered(DNSQuestion, DiallingMachine.Answer)
        case timerFired(Int)
        case ended(SocketAddress, Result<Socket, SocketError>)
    }

    /// Runs on the loop; a cancelled task ends all attempts.
    ///
    /// `nap` bounds them as in `Socket.connect`.
    package func dial(
        _ place: HostPlace, nap: @escaping @Sendable () -> UInt64?
    ) async -> Result<Socket, Failure> {
        // One address needs no race.
        if case .addresses(let addresses) = place, let address = addresses.first, addresses.count == 1 {
            return await connect(to: address, nap).mapError { Failure(attempts: [(address, $0)]) }
        }
        return await withTaskGroup(of: Event.self) { group in
            var machine = DiallingMachine(place, protocols: protocols, fault: fault)
            var failure = Failure()
            var winner: Socket?
            var isOver = perform(machine.beginDialling(), in: &group, nap)
            while let event = await group.next() {
                if case .ended(_, .success(let socket)) = event, isOver {
                    socket.close()
                    continue
                }
                guard !isOver else { continue }
                switch event {
                case .answered(let question, let answer):
                    isOver = perform(machine.answered(question, answer), in: &group, nap)
                case .timerFired(let timer): isOver = perform(machine.timerFired(timer), in: &group, nap)
                case .ended(_, .success(let socket)): (winner, isOver) = (socket, true)
                case .ended(let address, .failure(let error)):
                    failure.attempts.append((address, error))
                    isOver = perform(machine.attemptFailed(), in: &group, nap)
                }
                if isOver { group.cancelAll() }
            }
            if let winner { return .success(winner) }
            failure.lookups = machine.lookupFailures
            return .failure(failure)
        }
    }

    /// Returns whether the dialling has failed.
    private func perform(
        _ actions: [DiallingMachine.Action], in group: inout TaskGroup<Event>, _ nap: @escaping @Sendable () -> UInt64?
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
                group.addTask(executorPreference: loop) { .ended(address, await self.connect(to: address, nap)) }
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

    private func connect(
        to address: SocketAddress, _ nap: @escaping @Sendable () -> UInt64?
    ) async -> Result<Socket, SocketError> {
        do throws(SocketError) {
            return .success(try await Socket.connect(to: address, on: loop, nap: nap))
        } catch {
            return .failure(error)
        }
    }
}

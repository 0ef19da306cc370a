internal import ProctorBase
internal import ProctorDNS
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// The server of DNS of one run, over UDP and TCP at one port of the loopback.
///
/// Made and run on the loop's thread; ``stop()`` may be called from any.
final class DNSResponder: NameServer {
    let address: SocketAddress
    private let port: DatagramPort
    /// Replies with the fault `wrong-port` are sent from here.
    private let otherPort: DatagramPort
    private let listener: Listener
    private let answers: DNSAnswers
    private let stage: Stage
    private let state = Locked(State())

    private struct State {
        var epoch = 0
        var questionCount = 0
        var ordinals: [String: Int] = [:]
        var waitingCount = 0
        var connectionCount = 0
    }

    /// The most questions of a run that are answered; later ones are not read.
    static let mostQuestions = 10_000
    /// The most replies that wait for their time.
    private static let mostWaiting = 256
    /// The most connections at a time; further ones are closed.
    private static let mostConnections = 32
    /// Nanoseconds within which a connection must end.
    private static let connectionTime: UInt64 = 10_000_000_000
    /// How often another port is tried, where one is free for UDP alone.
    private static let mostPorts = 16

    /// Binds a free port of the host.
    init(at host: SocketAddress, answers: DNSAnswers, stage: Stage, on loop: EventLoop) throws(CallFailure) {
        (port, listener) = try Self.bind(host.with(port: 0), on: loop)
        do throws(CallFailure) {
            otherPort = try DatagramPort(on: loop, address: host.with(port: 0))
        } catch {
            port.close()
            listener.close()
            throw error
        }
        address = port.address
        (self.answers, self.stage) = (answers, stage)
    }

    private static func bind(
        _ host: SocketAddress, on loop: EventLoop
    ) throws(CallFailure) -> (DatagramPort, Listener) {
        for _ in 1..<mostPorts {
            let port = try DatagramPort(on: loop, address: host)
            if let listener = try? Listener(on: loop, address: port.address) { return (port, listener) }
            port.close()
        }
        let port = try DatagramPort(on: loop, address: host)
        do throws(CallFailure) {
            return (port, try Listener(on: loop, address: port.address))
        } catch {
            port.close()
            throw error
        }
    }

    /// Begins to serve; the caller owns the task, which ends after ``stop()``.
    func start() -> Task<Void, Never> {
        Task(executorPreference: port.loop) {
            await withDiscardingTaskGroup { group in
                group.addTask(executorPreference: self.port.loop) { await self.serveConnections() }
                while let datagram = await self.port.receive() {
                    for reply in self.replies(to: datagram.bytes, over: .udp) {
                        guard reply.delay > .zero else {
                            self.send(reply, to: datagram.sender)
                            continue
                        }
                        guard self.beginWaiting() else { continue }
                        group.addTask(executorPreference: self.port.loop) {
                            if await self.port.loop.sleep(for: reply.delay) { self.send(reply, to: datagram.sender) }
                            self.state.withLock { $0.waitingCount -= 1 }
                        }
                    }
                }
                group.cancelAll()
                self.port.close()
                self.otherPort.close()
            }
        }
    }

    func stop() {
        port.cancel()
        listener.cancel()
    }

    private func beginWaiting() -> Bool {
        state.withLock { state in
            guard state.waitingCount < Self.mostWaiting else { return false }
            state.waitingCount += 1
            return true
        }
    }

    private func send(_ reply: NumberedReply, to receiver: SocketAddress) {
        noteSent(reply)
        if let bytes = reply.bytes { (reply.isFromOtherPort ? otherPort : port).send(bytes, to: receiver) }
    }

    // MARK: Questions

    private struct NumberedReply: Sendable {
        let question: Int
        let epoch: Int
        let bytes: [UInt8]?
        let delay: Duration
        let isFromOtherPort: Bool
        let text: String
    }

    private func noteSent(_ reply: NumberedReply) {
        appendNote(.reply(question: reply.question, text: reply.text), reply.epoch)
    }

    private func appendNote(_ event: DNSNote.Event, _ epoch: Int) {
        stage.journal.append(epoch: epoch, connection: nil, .dns(DNSNote(event)))
    }

    private func replies(to bytes: [UInt8], over transport: DNSTransport) -> [NumberedReply] {
        let reading = DNSReader.readQuery(bytes)
        let epoch = stage.epoch
        guard let message = reading.message, !message.flags.isResponse else {
            for violation in reading.violations { appendViolation(violation, of: nil, epoch) }
            return []
        }
        let question = message.questions.first
        let key = "\(transport.rawValue) \(question.map { "\($0.type) \($0.name.description.lowercased())" } ?? "")"
        let numbers: (question: Int, ordinal: Int)? = state.withLock { state in
            if state.epoch != epoch { (state.epoch, state.questionCount, state.ordinals) = (epoch, 0, [:]) }
            guard state.questionCount < Self.mostQuestions else { return nil }
            defer {
                state.questionCount += 1
                state.ordinals[key, default: 0] += 1
            }
            return (state.questionCount, state.ordinals[key] ?? 0)
        }
        guard let numbers else { return [] }
        appendNote(
            .question(
                DNSQuestionNote(
                    number: numbers.question, transport: transport.rawValue, id: Int(message.id),
                    type: question.map { "\($0.type)" } ?? "none", name: question.map { "\($0.name)" } ?? "none")),
            epoch)
        for violation in reading.violations { appendViolation(violation, of: numbers.question, epoch) }
        return answers.replies(to: message, over: transport, ordinal: numbers.ordinal).map { reply in
            NumberedReply(
                question: numbers.question, epoch: epoch, bytes: reply.bytes, delay: reply.delay,
                isFromOtherPort: reply.isFromOtherPort, text: reply.text)
        }
    }

    private func appendViolation(_ violation: DNSViolation, of question: Int?, _ epoch: Int) {
        appendNote(.violation(question: question, ViolationNote(violation)), epoch)
    }

    // MARK: TCP

    private func serveConnections() async {
        await withDiscardingTaskGroup { group in
            while let socket = await listener.accept() {
                let isFull = state.withLock { state in
                    guard state.connectionCount < Self.mostConnections else { return true }
                    state.connectionCount += 1
                    return false
                }
                guard !isFull else {
                    socket.close()
                    continue
                }
                group.addTask(executorPreference: port.loop) {
                    await withTaskCancellationHandler {
                        await self.serve(socket)
                    } onCancel: {
                        socket.cancel()
                    }
                    self.state.withLock { $0.connectionCount -= 1 }
                }
            }
            group.cancelAll()
            listener.close()
        }
    }

    /// Replies in the order of the questions, until the client ends the connection.
    private func serve(_ socket: Socket) async {
        defer { socket.close() }
        let deadline = MonotonicClock.nanoseconds &+ Self.connectionTime
        var reader = DNSStreamReader()
        do throws(SocketError) {
            while true {
                let now = MonotonicClock.nanoseconds
                guard now < deadline else { return }
                var bytes: [UInt8] = []
                let isOpen: Void? = try await socket.read(within: deadline - now, upTo: 4_096) { bytes.append($0) }
                guard isOpen != nil else { return }
                for message in reader.messages(adding: bytes) {
                    for reply in replies(to: message, over: .tcp) {
                        if reply.delay > .zero, !(await port.loop.sleep(for: reply.delay)) { return }
                        noteSent(reply)
                        if let bytes = reply.bytes {
                            try await socket.write(DNSMessage.framed(bytes), within: Self.connectionTime)
                        }
                    }
                }
            }
        } catch {
            return
        }
    }
}

internal import ProctorBase
internal import ProctorExam
internal import ProctorLoop

/// The port of an exam at which an adapter connects, and the adapter's connection.
///
/// It serves one adapter: a later connection with the right token takes the place of the former one, which may be dead
/// without a sign of it. Safe from any thread; close it in the end.
package final class AdapterPort: AdapterLink {
    package let address: AdapterAddress
    /// What an adapter has to show.
    package var token: String { greeting.token }
    /// How long an adapter is waited for: at the start, and each time that its connection was lost.
    package let patience: Duration

    let loop: EventLoop
    private let listener: Listener
    private let greeting: AdapterGreeting
    private let place: LoopBound<ConnectionPlace>
    private let accepting = Locked<Task<Void, Never>?>(nil)
    private let listenerOfNotes = Locked<@Sendable (String) -> Void>({ _ in })
    private let refusals = Locked(0)
    private let gone = Locked(false)

    /// The time for the first line of a connection.
    static let greetingTime = Duration.seconds(30)
    /// How many refused connections are told of; later ones are refused silently.
    static let mostToldRefusals = 10
    /// How long, and how many bytes, the rest of a refused connection is read.
    private static let refusalTime = Duration.seconds(5)
    private static let refusedByteLimit = 1 << 20
    /// The most connections whose first line is awaited at a time.
    ///
    /// Of more the one that has been silent longest is closed, so that silent ones can't keep an adapter out.
    private static let mostGreetings = 256

    private init(_ listener: Listener, token: String, patience: Duration) {
        (self.listener, self.patience) = (listener, patience)
        loop = listener.loop
        address = AdapterAddress(listener.address)
        greeting = AdapterGreeting(token: token)
        place = LoopBound(ConnectionPlace(on: listener.loop), on: listener.loop)
    }

    /// Listens at once; throws when the port can't be bound.
    ///
    /// Port 0 lets the system choose one.
    package static func open(
        at address: AdapterAddress, token: String, patience: Duration
    ) async throws -> AdapterPort {
        let loop = try EventLoop(name: "proctor-adapter")
        do {
            let port = try await loop.run {
                AdapterPort(try Listener(on: loop, address: address.socket), token: token, patience: patience)
            }
            port.accepting.withLock { $0 = Task(executorPreference: loop) { await port.acceptConnections() } }
            return port
        } catch {
            loop.stop()
            await loop.ended()
            throw error
        }
    }

    /// Gives `listener` what happens at the port from now on, a sentence each: refused and lost connections.
    package func onNote(_ listener: @escaping @Sendable (String) -> Void) {
        listenerOfNotes.withLock { $0 = listener }
    }

    package func noteEvent(_ sentence: String) { listenerOfNotes.withLock { $0 }(sentence) }

    /// Whether an adapter was waited for in vain; then it is waited for no more.
    package var isAbandoned: Bool { gone.withLock { $0 } }

    /// Waits until an adapter is connected; false when none has come within ``patience``, or the task was cancelled.
    package func hasAdapter() async -> Bool {
        let isConnected = try? await loop.run { [self] in
            guard let socket = await takeConnection() else { return false }
            giveBack(socket)
            return true
        }
        return isConnected ?? false
    }

    /// Closes the port and the connection; every call that waits ends.
    package func close() async {
        let task = accepting.withLock { $0.take() }
        loop.submit { [place] in place.value.close() }
        task?.cancel()
        listener.cancel()
        await task?.value
        loop.stop()
        await loop.ended()
    }

    // MARK: The connection, on the loop

    /// Removes the connection for one caller, who gives it back or closes it; waits for one.
    ///
    /// nil when none has come in time, or the task was cancelled.
    func takeConnection() async -> Socket? {
        guard !isAbandoned else { return nil }
        let taken = await withTaskCancellationHandler {
            await place.value.takeSocket(until: Socket.deadline(within: patience.wholeNanoseconds))
        } onCancel: {
            loop.submit { [place] in place.value.endWait() }
        }
        if taken == nil, !Task.isCancelled { gone.withLock { $0 = true } }
        return taken
    }

    func giveBack(_ socket: Socket) { place.value.putSocket(socket) }

    func discard(_ socket: Socket) { place.value.discard(socket) }

    // MARK: Accepting

    private func acceptConnections() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled, let socket = await listener.accept() {
                if let silent = place.value.beginGreeting(socket, atMost: Self.mostGreetings) {
                    noteRefusal(
                        of: silent.peer, "its first line had not come when \(Self.mostGreetings) others were waited for"
                    )
                    // Its task closes it.
                    silent.cancel()
                }
                group.addTask { [self] in
                    await greet(socket)
                    place.value.endGreeting(socket)
                }
            }
            group.cancelAll()
            listener.close()
        }
    }

    private func greet(_ socket: Socket) async {
        let peer = socket.peer
        do throws(SocketError) {
            let line = try await firstLine(of: socket)
            let refusal = greeting.refusal(of: line)
            try await socket.write(
                AdapterGreeting.answerLine(refusal), within: Self.greetingTime.wholeNanoseconds)
            if let refusal {
                noteRefusal(of: peer, refusal.sentence)
                await endRefused(socket)
            } else if place.value.arrive(socket) {
                noteEvent("another connection of the adapter, from \(peer), takes the place of the former one")
            }
        } catch {
            socket.close()
            // A port that is closed cancels its connections.
            if error != .cancelled { noteRefusal(of: peer, "no first line of it came: \(error)") }
        }
    }

    /// Reads what the peer still sends, for a while: unread bytes would make the end a reset, which loses the answer.
    private func endRefused(_ socket: Socket) async {
        socket.halfClose()
        var byteCount = 0
        let end = Socket.deadline(within: Self.refusalTime.wholeNanoseconds)
        while byteCount < Self.refusedByteLimit, MonotonicClock.nanoseconds < end {
            let left = end - min(end, MonotonicClock.nanoseconds)
            guard (try? await socket.read(within: left, { byteCount += $0.count })) != nil else { break }
        }
        socket.close()
    }

    private func noteRefusal(of peer: SocketAddress, _ sentence: String) {
        let count = refusals.withLock { count in
            count += 1
            return count
        }
        guard count <= Self.mostToldRefusals else { return }
        let last = count == Self.mostToldRefusals ? "; further refusals are not told" : ""
        noteEvent("a connection from \(peer) was refused: \(sentence)\(last)")
    }

    /// The bytes before the first line feed, which is the last byte that an adapter sends before it is answered.
    ///
    /// More than ``AdapterGreeting/lineLimit`` bytes, or an end without a line feed, count as the line.
    private func firstLine(of socket: Socket) async throws(SocketError) -> [UInt8] {
        var line: [UInt8] = []
        let end = Socket.deadline(within: Self.greetingTime.wholeNanoseconds)
        while line.count < AdapterGreeting.lineLimit, !line.contains(0x0A) {
            let now = MonotonicClock.nanoseconds
            guard now < end else { throw .timedOut }
            let isOpen: Void? = try await socket.read(within: end - now, upTo: AdapterGreeting.lineLimit - line.count) {
                line.append($0)
            }
            guard isOpen != nil else { break }
        }
        guard let feed = line.firstIndex(of: 0x0A), feed == line.count - 1 else { return line }
        return Array(line[..<feed])
    }
}

/// The one connection of an ``AdapterPort``, idle or in use; loop thread only.
final class ConnectionPlace {
    private let loop: EventLoop
    private var idle: Socket?
    private var used: Socket?
    private let pause: LoopPause
    private var isClosed = false
    private var isWaitOver = false
    /// Connections whose first line is awaited, the oldest first.
    private var greetings: [Socket] = []

    init(on loop: EventLoop) {
        self.loop = loop
        pause = LoopPause(on: loop)
    }

    /// Remembers a connection whose first line is awaited; returns the oldest where there are more than `limit`.
    func beginGreeting(_ socket: Socket, atMost limit: Int) -> Socket? {
        greetings.append(socket)
        return greetings.count > limit ? greetings.removeFirst() : nil
    }

    func endGreeting(_ socket: Socket) { greetings.removeAll { $0 === socket } }

    /// A new connection; returns whether it takes the place of one that is in use.
    func arrive(_ socket: Socket) -> Bool {
        guard !isClosed else {
            socket.close()
            return false
        }
        used?.cancel()
        idle?.close()
        idle = socket
        pause.resume()
        return used != nil
    }

    /// Waits until a moment of ``MonotonicClock`` in nanoseconds.
    func takeSocket(until end: UInt64) async -> Socket? {
        isWaitOver = false
        while idle == nil {
            guard !isClosed, !isWaitOver, !Task.isCancelled, MonotonicClock.nanoseconds < end else { return nil }
            _ = await pause.wait(until: end)
        }
        used = idle.take()
        return used
    }

    func putSocket(_ socket: Socket) {
        used = nil
        guard idle == nil, !isClosed else { return socket.close() }
        idle = socket
    }

    func discard(_ socket: Socket) {
        used = nil
        socket.close()
    }

    func endWait() {
        isWaitOver = true
        used?.cancel()
        pause.resume()
    }

    func close() {
        isClosed = true
        idle.take()?.close()
        used?.cancel()
        pause.resume()
    }
}

internal import ProctorBase
internal import ProctorDNS
internal import ProctorLoop

/// Asks one server of DNS, over UDP, and over TCP where a reply is truncated (RFC 2181 §9, RFC 7766 §5).
struct DNSClient {
    let loop: EventLoop
    let fault: DiallingFault?

    /// How often a question is sent over UDP.
    static let mostTries = 3
    /// Nanoseconds for each try, and for the exchange over TCP.
    static let patience: UInt64 = 1_000_000_000
    /// The most CNAME records that one reply leads through.
    static let mostAliases = 8

    func ask(_ question: DNSQuestion, of resolver: SocketAddress) async -> DiallingMachine.Answer {
        let host = if case .ipv6 = resolver { "::1" } else { "127.0.0.1" }
        guard let address = SocketAddress(host: host, port: 0),
            let port = try? DatagramPort(on: loop, address: address)
        else { return .failed("no socket for UDP can be made") }
        defer { port.close() }
        for _ in 0..<(fault == .asksOnce ? 1 : Self.mostTries) where !Task.isCancelled {
            // An id that nobody can guess (RFC 5452 §4.3); each try has another.
            let query = DNSMessage.query(question, id: .random(in: 0...UInt16.max))
            port.send(query.bytes, to: resolver)
            let deadline = MonotonicClock.nanoseconds &+ Self.patience
            while let datagram = await port.receive(until: deadline) {
                guard datagram.sender == resolver || fault == .takesAnySender,
                    let reply = reply(datagram.bytes, to: query)
                else { continue }
                guard reply.flags.isTruncated, fault != .takesTruncated else {
                    return records(of: reply, for: question)
                }
                return await askByStream(query, question, of: resolver)
            }
        }
        return .failed("\(resolver) did not reply")
    }

    private func askByStream(
        _ query: DNSMessage, _ question: DNSQuestion, of resolver: SocketAddress
    ) async -> DiallingMachine.Answer {
        do throws(SocketError) {
            let socket = try await Socket.connect(to: resolver, on: loop, within: Self.patience)
            defer { socket.close() }
            let deadline = MonotonicClock.nanoseconds &+ Self.patience
            try await socket.write(query.streamBytes, within: Self.patience)
            var reader = DNSStreamReader()
            while true {
                let now = MonotonicClock.nanoseconds
                guard now < deadline else { return .failed("\(resolver) did not reply over TCP") }
                var bytes: [UInt8] = []
                let isOpen: Void? = try await socket.read(within: deadline - now, upTo: 4_096) { bytes.append($0) }
                guard isOpen != nil else { return .failed("\(resolver) ended the connection without a reply") }
                for message in reader.messages(adding: bytes) {
                    if let reply = reply(message, to: query) { return records(of: reply, for: question) }
                }
            }
        } catch {
            return .failed("\(resolver) over TCP: \(error)")
        }
    }

    /// The message, if it replies to the query (RFC 5452 §9.1); others are passed over.
    private func reply(_ bytes: [UInt8], to query: DNSMessage) -> DNSMessage? {
        guard let message = DNSReader.read(bytes).message, message.flags.isResponse else { return nil }
        guard message.id == query.id || fault == .takesAnyID else { return nil }
        guard message.questions == query.questions || fault == .takesAnyQuestion else { return nil }
        return message
    }

    private func records(of reply: DNSMessage, for question: DNSQuestion) -> DiallingMachine.Answer {
        guard reply.flags.code == .noError else { return .failed("\(reply.flags.code)") }
        var name = question.name
        for _ in 0...Self.mostAliases {
            let records = reply.answers.filter { $0.name == name && $0.type == question.type }
            if !records.isEmpty { return .records(records) }
            guard fault != .ignoresAliases,
                let alias = reply.answers.first(where: { $0.name == name && $0.type == .cname }),
                case .name(let target) = alias.data
            else { return .records([]) }
            name = target
        }
        return .failed("more than \(Self.mostAliases) aliases")
    }
}

internal import ProctorBase
internal import ProctorDNS
internal import ProctorLoop
internal import ProctorScenario

/// What the server of DNS of a run answers; knows no socket.
struct DNSAnswers: Sendable {
    private let rules: [DNSRule]
    /// The addresses of the origins, by origin; nil for one without an address of IP.
    private let origins: [SocketAddress?]
    private let hosts: [DNSName: [SocketAddress]]

    /// Seconds for which a record may be kept.
    static let lifeSeconds: UInt32 = 60

    /// One message, or that there is none.
    struct Reply: Sendable, Equatable {
        /// nil: silence.
        var bytes: [UInt8]?
        var delay: Duration
        var isFromOtherPort: Bool
        /// For the journal: `NOERROR`, `SERVFAIL`, `silent`, `NOERROR wrong-id`.
        var text: String
    }

    /// `addresses` are those of the origins, by index.
    init(_ scenario: Scenario, addresses: [SocketAddress?]) {
        self.init(rules: (scenario.dns as? DNSProgram)?.rules ?? [], origins: scenario.origins, addresses: addresses)
    }

    init(rules: [DNSRule], origins: [Origin], addresses: [SocketAddress?]) {
        (self.rules, self.origins) = (rules, addresses)
        var hosts: [DNSName: [SocketAddress]] = [:]
        for (index, origin) in origins.enumerated() {
            guard let text = origin.hostName, let name = DNSName(text) else { continue }
            // Origins that differ in their ports may have one name.
            for place in origin.addresses ?? [index] where addresses.indices.contains(place) {
                guard let address = addresses[place]?.with(port: 0) else { continue }
                if hosts[name]?.contains(address) != true { hosts[name, default: []].append(address) }
            }
        }
        self.hosts = hosts
    }

    /// The messages that reply to a query with one question, in order; `ordinal` counts the questions like it from 0.
    func replies(to query: DNSMessage, over transport: DNSTransport, ordinal: Int) -> [Reply] {
        guard let question = query.questions.first, query.questions.count == 1, question.classNumber == 1,
            query.flags.opcode == 0
        else {
            return [reply(message(query, code: DNSCode(query.flags.opcode == 0 ? 1 : 4)), nil, over: transport)]
        }
        let fitting = rules.filter { rule in
            rule.name == question.name && rule.type ?? question.type == question.type
                && rule.transport ?? transport == transport && rule.questions?.contains(ordinal) ?? true
        }
        guard !fitting.isEmpty else {
            return [reply(usual(query, question), nil, over: transport)]
        }
        return fitting.map { reply(message(query, question, $0), $0, over: transport) }
    }

    private func message(_ query: DNSMessage, code: DNSCode, _ answers: [DNSRecord] = []) -> DNSMessage {
        DNSMessage(
            id: query.id,
            flags: DNSFlags(
                isResponse: true, wantsRecursion: query.flags.wantsRecursion, hasRecursion: true, code: code),
            questions: query.questions, answers: answers)
    }

    private func usual(_ query: DNSMessage, _ question: DNSQuestion) -> DNSMessage {
        let isKnown = hosts[question.name] != nil || rules.contains { $0.name == question.name }
        return message(
            query, code: isKnown ? .noError : .nameError,
            records(hosts[question.name] ?? [], question.name, question.type))
    }

    private func message(_ query: DNSMessage, _ question: DNSQuestion, _ rule: DNSRule) -> DNSMessage {
        if let code = rule.code { return message(query, code: code) }
        if let alias = rule.alias {
            let record = DNSRecord(question.name, .cname, seconds: Self.lifeSeconds, .name(alias))
            let behind = question.type == .cname ? [] : records(hosts[alias] ?? [], alias, question.type)
            return message(query, code: .noError, [record] + behind)
        }
        if !rule.services.isEmpty {
            let records = rule.services.map {
                DNSRecord(question.name, .https, seconds: Self.lifeSeconds, .service(service($0)))
            }
            return message(query, code: .noError, records)
        }
        guard let origins = rule.origins else { return usual(query, question) }
        let addresses = origins.compactMap { self.origins.indices.contains($0) ? self.origins[$0] : nil }
        return message(query, code: .noError, records(addresses, question.name, question.type))
    }

    private func records(_ addresses: [SocketAddress], _ name: DNSName, _ type: DNSType) -> [DNSRecord] {
        addresses.compactMap { address in
            let ofAddress: DNSType
            switch address {
            case .ipv4: ofAddress = .a
            case .ipv6: ofAddress = .aaaa
            case .unix: return nil
            }
            guard ofAddress == type, let bytes = address.hostBytes else { return nil }
            return DNSRecord(name, type, seconds: Self.lifeSeconds, .address(bytes))
        }
    }

    private func service(_ program: DNSServiceProgram) -> DNSService {
        var parameters: [DNSService.Parameter] = []
        if !program.mandatory.isEmpty {
            let keys = Set(program.mandatory).sorted().map { UInt16(clamping: $0) }
            parameters.append(.init(DNSService.Key.mandatory, keys.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))
        }
        if !program.protocols.isEmpty {
            let names = program.protocols.map { Array($0.utf8.prefix(255)) }
            parameters.append(.init(DNSService.Key.alpn, names.flatMap { [UInt8(clamping: $0.count)] + $0 }))
        }
        if !program.hasDefaultProtocol { parameters.append(.init(DNSService.Key.noDefaultALPN, [])) }
        if let index = program.port, origins.indices.contains(index), let port = origins[index]?.port {
            parameters.append(.init(DNSService.Key.port, [UInt8(port >> 8), UInt8(port & 0xFF)]))
        }
        for key in Set(program.mandatory).sorted() where key > 7 {
            parameters.append(.init(UInt16(clamping: key), []))
        }
        parameters.sort { $0.key < $1.key }
        return DNSService(
            priority: UInt16(clamping: program.priority), target: program.target, parameters: parameters)
    }

    // MARK: Faults

    private func reply(_ message: DNSMessage, _ rule: DNSRule?, over transport: DNSTransport) -> Reply {
        var message = message
        let fault = rule?.fault
        switch fault {
        case .truncated: message.flags.isTruncated = true
        case .wrongID: message.id ^= 0x5555
        case .wrongName:
            let name = DNSName("wrong.example.org") ?? .root
            for index in message.questions.indices { message.questions[index].name = name }
            for index in message.answers.indices { message.answers[index].name = name }
        case .silent, .wrongPort, .cut, .pointerLoop, nil: break
        }
        var bytes = message.bytes
        if fault == .cut { bytes.removeLast() }
        if fault == .pointerLoop { bytes = Self.loop(message) }
        if transport == .udp, fault == nil, bytes.count > DNSMessage.mostDatagramBytes {
            message.answers = []
            message.flags.isTruncated = true
            bytes = message.bytes
        }
        let text = ["\(message.flags.code)", fault?.rawValue].compactMap(\.self).joined(separator: " ")
        return Reply(
            bytes: fault == .silent ? nil : bytes, delay: rule?.delay ?? .zero, isFromOtherPort: fault == .wrongPort,
            text: fault == .silent ? "silent" : text)
    }

    /// The message with one record, whose name is a pointer to its own place.
    private static func loop(_ message: DNSMessage) -> [UInt8] {
        var questionAlone = message
        questionAlone.answers = []
        var bytes = questionAlone.bytes
        bytes[7] = 1
        let place = bytes.count
        let type = message.questions.first?.type.number ?? 1
        bytes += [0xC0 | UInt8(place >> 8 & 0x3F), UInt8(place & 0xFF), UInt8(type >> 8), UInt8(type & 0xFF), 0, 1]
        return bytes + [0, 0, 0, 60, 0, 4, 127, 0, 0, 1]
    }
}

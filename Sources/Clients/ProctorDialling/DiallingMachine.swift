package import ProctorDNS
package import ProctorLoop

/// Happy eyeballs (RFC 8305) without I/O: what is asked, and which address is tried when.
///
/// The shell performs each action, and tells what came of it.
package struct DiallingMachine {
    private let place: HostPlace
    private let fault: DiallingFault?
    private let knownProtocols: Set<String>

    /// Nanoseconds from one attempt to the next (RFC 8305 §5).
    package static let attemptDelay: UInt64 = 250_000_000
    /// Nanoseconds for which an answer with addresses waits for those that are missing (RFC 8305 §3).
    package static let resolutionDelay: UInt64 = 50_000_000
    /// The most names that aliases of HTTPS records lead through.
    package static let mostAliases = 4
    /// The most addresses that are tried.
    package static let mostAttempts = 64

    package enum Action: Sendable, Equatable {
        case ask(DNSQuestion, of: SocketAddress)
        case connect(SocketAddress)
        /// The shell calls ``timerFired(_:)`` with the number after that many nanoseconds.
        case startTimer(Int, UInt64)
        case fail
    }

    /// What came of a question.
    package enum Answer: Sendable, Equatable {
        /// The records that belong to the question, with those behind aliases.
        case records([DNSRecord])
        /// A code or silence, as half a sentence.
        case failed(String)
    }

    /// The name and port that addresses are asked for.
    private var name: DNSName?
    private var port: UInt16 = 0
    private var waiting: Set<DNSQuestion> = []
    private var aliasCount = 0
    /// The families of which addresses have come.
    private var hasIPv6 = false
    private var hasIPv4 = false
    private var isDelayOver = false
    private var delayTimer: Int?
    private var untried: [SocketAddress] = []
    private var lastFamilyIsIPv6: Bool?
    private var attemptCount = 0
    private var activeCount = 0
    private var attemptTimer: Int?
    private var timerCount = 0
    /// What the answers without addresses said, for messages.
    package private(set) var lookupFailures: [String] = []

    package init(_ place: HostPlace, protocols: Set<String> = ["http/1.1"], fault: DiallingFault? = nil) {
        (self.place, self.fault) = (place, fault)
        knownProtocols = protocols
    }

    package mutating func beginDialling() -> [Action] {
        switch place {
        case .addresses(let addresses):
            untried = interleaved(addresses)
            return next()
        case .asked(let question):
            (name, port) = (question.name, question.port)
            return askForAddresses()
                + (question.asksForServices ? [ask(DNSQuestion(question.name, .https))].compactMap(\.self) : [])
        }
    }

    // MARK: Questions

    /// AAAA first, and A right behind it (RFC 8305 §3).
    private mutating func askForAddresses() -> [Action] {
        guard let name else { return [] }
        return [DNSQuestion(name, .aaaa), DNSQuestion(name, .a)].compactMap { ask($0) }
    }

    private mutating func ask(_ question: DNSQuestion) -> Action? {
        guard case .asked(let host) = place, waiting.insert(question).inserted else { return nil }
        return .ask(question, of: host.resolver)
    }

    package mutating func answered(_ question: DNSQuestion, _ answer: Answer) -> [Action] {
        guard waiting.remove(question) != nil else { return [] }
        var actions: [Action] = []
        switch answer {
        case .failed(let reason): lookupFailures.append("\(question): \(reason)")
        case .records(let records) where question.type == .https: actions = follow(records)
        case .records(let records):
            guard question.name == name else { break }
            let addresses = records.compactMap { record -> SocketAddress? in
                guard record.type == question.type, case .address(let bytes) = record.data else { return nil }
                return SocketAddress(hostBytes: bytes, port: port)
            }
            if addresses.isEmpty {
                lookupFailures.append("\(question): no address")
            } else if question.type == .aaaa {
                hasIPv6 = true
            } else {
                hasIPv4 = true
            }
            untried = interleaved(untried + addresses)
        }
        return actions + next()
    }

    /// Follows the best service that this client can use; without one the name's own addresses stay (RFC 9460 §3).
    private mutating func follow(_ records: [DNSRecord]) -> [Action] {
        var services: [DNSService] = []
        for record in records {
            if case .service(let service) = record.data { services.append(service) }
        }
        if let alias = services.first(where: { $0.priority == 0 }) {
            aliasCount += 1
            guard alias.target != .root, aliasCount <= Self.mostAliases else { return [] }
            return lead(to: alias.target) + [ask(DNSQuestion(alias.target, .https))].compactMap(\.self)
        }
        let usable = services.filter { isUsable($0) }
        let sorted = usable.sorted { $0.priority < $1.priority }
        guard let best = fault == .highestPriority ? sorted.last : sorted.first else { return [] }
        if let own = best.port, fault != .ignoresServicePort { port = own }
        guard best.target != .root, best.target != name else {
            untried = untried.map { $0.with(port: port) }
            return []
        }
        return lead(to: best.target)
    }

    /// From now on the addresses of another name count.
    private mutating func lead(to target: DNSName) -> [Action] {
        name = target
        untried = []
        (hasIPv4, hasIPv6) = (false, false)
        waiting = waiting.filter { $0.type == .https }
        return askForAddresses()
    }

    private func isUsable(_ service: DNSService) -> Bool {
        let keys: Set<UInt16> = [
            DNSService.Key.mandatory, DNSService.Key.alpn, DNSService.Key.noDefaultALPN, DNSService.Key.port,
            DNSService.Key.ipv4Hint, DNSService.Key.ipv6Hint,
        ]
        guard service.isUsable(knowing: keys) || fault == .ignoresMandatory else { return false }
        let hasDefault = !service.parameters.contains { $0.key == DNSService.Key.noDefaultALPN }
        let protocols = service.protocols.map { String(decoding: $0, as: UTF8.self) } + (hasDefault ? ["http/1.1"] : [])
        return protocols.contains(where: knownProtocols.contains)
    }

    // MARK: Attempts

    /// Whether addresses may be tried (RFC 8305 §3).
    private var mayTry: Bool {
        guard case .asked = place, !isDelayOver else { return true }
        let isWaiting = { (type: DNSType) in self.waiting.contains { $0.type == type } }
        guard !isWaiting(.https) else { return false }
        if fault == .ipv4First { return hasIPv4 || hasIPv6 && !isWaiting(.a) }
        return hasIPv6 || hasIPv4 && !isWaiting(.aaaa)
    }

    private mutating func next() -> [Action] {
        guard attemptCount == 0 else { return continueRace() }
        guard !untried.isEmpty else { return failIfOver() }
        guard mayTry else {
            guard delayTimer == nil, fault != .waitsForAllAnswers else { return [] }
            let timer = newTimer()
            delayTimer = timer
            return [.startTimer(timer, Self.resolutionDelay)]
        }
        return attempt()
    }

    /// New addresses, or an attempt that has ended.
    private mutating func continueRace() -> [Action] {
        if fault == .firstAddressAlone { untried = [] }
        if activeCount == 0 { return untried.isEmpty ? failIfOver() : attempt() }
        if attemptTimer == nil, !untried.isEmpty { return startAttemptTimer() }
        return []
    }

    private mutating func attempt() -> [Action] {
        guard !untried.isEmpty, attemptCount < Self.mostAttempts else { return failIfOver() }
        let address = untried.removeFirst()
        if fault == .firstAddressAlone { untried = [] }
        attemptCount += 1
        activeCount += 1
        lastFamilyIsIPv6 = address.isIPv6
        attemptTimer = nil
        return [.connect(address)] + (untried.isEmpty ? [] : startAttemptTimer())
    }

    private mutating func startAttemptTimer() -> [Action] {
        guard fault != .waitsForSilence else { return [] }
        let timer = newTimer()
        attemptTimer = timer
        return [.startTimer(timer, Self.attemptDelay)]
    }

    private mutating func newTimer() -> Int {
        timerCount += 1
        return timerCount
    }

    package mutating func timerFired(_ timer: Int) -> [Action] {
        if timer == delayTimer {
            isDelayOver = true
            return next()
        }
        guard timer == attemptTimer else { return [] }
        attemptTimer = nil
        return attempt()
    }

    /// An attempt has failed; the next address is tried at once.
    package mutating func attemptFailed() -> [Action] {
        activeCount -= 1
        return attempt()
    }

    private mutating func failIfOver() -> [Action] {
        activeCount == 0 && waiting.isEmpty && untried.isEmpty ? [.fail] : []
    }

    /// The families in turn (RFC 8305 §4): of answers IPv6 first, of a list the family of its first address.
    private func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
        if fault == .oneFamilyFirst {
            let first = addresses.first?.isIPv6
            return addresses.filter { $0.isIPv6 == first } + addresses.filter { $0.isIPv6 != first }
        }
        var families = [addresses.filter(\.isIPv6)[...], addresses.filter { !$0.isIPv6 }[...]]
        var isIPv6Next = lastFamilyIsIPv6.map { !$0 } ?? true
        if case .addresses = place, lastFamilyIsIPv6 == nil { isIPv6Next = addresses.first?.isIPv6 ?? true }
        if fault == .ipv4First, lastFamilyIsIPv6 == nil { isIPv6Next = false }
        var result: [SocketAddress] = []
        while !(families[0].isEmpty && families[1].isEmpty) {
            let index = families[isIPv6Next ? 0 : 1].isEmpty == isIPv6Next ? 1 : 0
            if let address = families[index].popFirst() { result.append(address) }
            isIPv6Next = index == 1
        }
        return result
    }
}

extension SocketAddress {
    fileprivate var isIPv6: Bool { if case .ipv6 = self { true } else { false } }
}

/// A mistake on purpose with addresses of a name (RFC 8305), DNS (RFC 1035, RFC 5452) or HTTPS records (RFC 9460).
///
/// Its name is the label of its breakage; `faults.tsv` says what each does.
package enum DiallingFault: String, Sendable, CaseIterable {
    case firstAddressAlone = "address-first-alone"
    case waitsForSilence = "address-one-after-the-other"
    case oneFamilyFirst = "address-one-family-first"
    case ipv4First = "address-ipv4-first"
    case waitsForAllAnswers = "address-waits-for-all"

    // Of the client of DNS.
    case takesAnyID = "dns-any-id"
    case takesAnyQuestion = "dns-any-question"
    case takesAnySender = "dns-any-sender"
    case takesTruncated = "dns-truncated"
    case asksOnce = "dns-asks-once"
    case ignoresAliases = "dns-no-aliases"

    case highestPriority = "https-record-last"
    case ignoresServicePort = "https-record-port"
    case ignoresMandatory = "https-record-mandatory"
}

import ProctorBase
import ProctorHTTP
package import ProctorJournal
package import ProctorScenario
import ProctorTLSWire

/// A scenario made from the requests and replies in the journal of a run: the same requests get the same replies again.
///
/// Unlike what is made of a recording, it keeps fields, contents and secrets as they were. What a journal does not
/// contain, such as raw bytes, effects and the reason phrase, is left out, and a remark says so.
package struct RunDraft: Sendable {
    /// nil: no chosen request can be repeated.
    package private(set) var draft: Draft?
    /// The number of requests that it was made from.
    package private(set) var requestCount = 0
    /// What was left out.
    package private(set) var remarks = ImportRemarks()

    /// The source of the journal.
    package struct Source: Sendable {
        /// The name of the run, or `the shared port`.
        let name: String
        /// The scenario; nil for the shared port's own journal.
        let scenario: Scenario?
        /// The URL of each origin by name.
        let origins: [String: String]

        package init(name: String, scenario: Scenario?, origins: [String: String]) {
            (self.name, self.scenario, self.origins) = (name, scenario, origins)
        }

        package var head: String { "# Made of what was seen at \(name). Read it before you rely on it." }
    }

    /// The most requests of a draft; further ones are left out with a remark.
    private static let requestLimit = 500
    /// The most bytes of all bodies of a draft; longer bodies are left out with a remark.
    private static let bodyByteLimit = 512 << 10

    private var exchanges: [DraftExchange] = []
    private var places: [Key: Int] = [:]
    private var bodyByteCount = 0
    /// The origins that got requests over HTTP/2 or later, and those that got some over HTTP/1.
    private var (multiplexed, plain): (Set<String>, Set<String>) = ([], [])
    private let addresses: LateAddresses

    private struct Key: Hashable {
        let origin: String
        let request: DraftRequest
    }

    /// `chosen` are sequence numbers of entries about requests or about their replies; nil: all requests.
    package init(of entries: [JournalEntry], from source: Source, choosing chosen: Set<UInt64>? = nil) {
        let names = source.scenario?.origins.map(\.name) ?? source.origins.keys.sorted()
        addresses = LateAddresses(names.map { DraftOrigin(name: $0, url: source.origins[$0] ?? "") })
        let numbers = chosen.map { chosen in
            Set(entries.lazy.filter { chosen.contains($0.sequence) }.compactMap(\.request))
        }
        var leftCount = 0
        for (number, exchange) in JournaledExchange.all(in: entries) {
            if let numbers, !numbers.contains(number) { continue }
            guard requestCount < Self.requestLimit else {
                leftCount += 1
                continue
            }
            add(exchange, of: source)
        }
        if leftCount > 0 {
            remarks.add(
                at: "the journal",
                "\(Plural.count(leftCount, "request")) more \(leftCount == 1 ? "was" : "were") left out: a draft has "
                    + "\(Self.requestLimit)")
        }
        guard requestCount > 0 else { return }
        var draft = Draft(summary: "Answers \(Plural.count(requestCount, "request")) as \(source.name) did")
        draft.exchanges = exchanges.map(\.withoutRepeatedReply)
        draft.origins = origins(of: source, draft)
        draft.remarks = remarks
        draft.comments = remarks.map { "- \($0)" }
        self.draft = draft
    }

    // MARK: Requests

    /// Adds a request with its reply; one that can't be repeated is left out with a remark.
    private mutating func add(_ exchange: JournaledExchange, of source: Source) {
        let head = exchange.head
        guard let method = String(validating: head.methodBytes, as: UTF8.self),
            !exchange.target.isEmpty, exchange.target.allSatisfy({ 0x21...0x7E ~= $0 })
        else {
            remarks.add(at: exchange.place, "the method or the target is no text that a fixture can name")
            return
        }
        guard method != "CONNECT" else {
            remarks.add(
                at: exchange.place, "a CONNECT was left out; what came through the tunnel is there by itself")
            return
        }
        requestCount += 1
        let origin = source.scenario == nil ? "main" : exchange.origin
        if head.isMultiplexed { multiplexed.insert(origin) } else { plain.insert(origin) }
        // The asterisk-form of OPTIONS is written as a pattern of its own.
        let target = String(decoding: exchange.target, as: UTF8.self)
        var request = DraftRequest(method, .text(target == "*" ? target : LiteralText.pattern(target)))
        if let body = comparedBody(of: exchange) { request.content = [.init("body", .bytes(body))] }
        let reply = reply(to: exchange)
        let key = Key(origin: origin, request: request)
        if let known = places[key] {
            exchanges[known].replies.append(reply)
        } else {
            places[key] = exchanges.count
            exchanges.append(DraftExchange(request, [reply], origin: origin == "main" ? nil : origin))
        }
    }

    private mutating func comparedBody(of exchange: JournaledExchange) -> [UInt8]? {
        guard let content = exchange.body, content.byteCount > 0 else { return nil }
        guard content.isComplete, content.kept.count == content.byteCount else {
            remarks.add(at: exchange.place, "the content of the request is not all there, and is not compared")
            return nil
        }
        guard reserve(content.byteCount) else {
            remarks.add(
                at: exchange.place,
                "the content of the request is not compared: a draft has \(Self.bodyByteLimit) bytes of content")
            return nil
        }
        return exchange.head.fields.map { HTTPField($0) }.decoded(content.kept)
    }

    /// Subtracts bytes from the limit for all bodies; false when fewer are left.
    private mutating func reserve(_ byteCount: Int) -> Bool {
        guard byteCount <= Self.bodyByteLimit - bodyByteCount else { return false }
        bodyByteCount += byteCount
        return true
    }

    // MARK: Replies

    private mutating func reply(to exchange: JournaledExchange) -> DraftReply {
        guard let sent = exchange.reply, let status = sent.status, let fields = sent.fields else {
            remarks.add(
                at: exchange.place,
                exchange.sentRaw
                    ? "the reply was raw bytes, which the journal does not hold; a 200 stands for it"
                    : "no reply is known; a 200 stands for it")
            return DraftReply(200)
        }
        var reply = DraftReply(status)
        reply.interim = exchange.interim.compactMap { interim in
            interim.status.map { .interim($0, members([HTTPField](interim.fields ?? FieldSection()))) }
        }
        if exchange.isCut {
            remarks.add(
                at: exchange.place, "effects cut the reply; they were left out, and it is whole here")
        }
        var lines = [HTTPField](fields)
        if !exchange.head.hasMethod("HEAD"), !ReplyHead.hasNoContent(status) {
            addContent(of: sent, to: exchange, in: &reply, &lines)
        }
        reply.headers = members(lines)
        return reply
    }

    /// Takes those lines away that the server makes of the content by itself.
    private mutating func addContent(
        of sent: SentReply, to exchange: JournaledExchange, in reply: inout DraftReply, _ lines: inout [HTTPField]
    ) {
        let isChunked = lines.contains { $0.isNamed("Transfer-Encoding") && $0.value.lowercased() == "chunked" }
        if isChunked {
            lines.removeAll { $0.isNamed("Transfer-Encoding") }
            reply.framing = "chunked"
        }
        let content = content(of: sent, at: exchange.place)
        reply.body = body(content.bytes)
        let hasLength = lines.contains { $0.isNamed("Content-Length") }
        // On a stream of HTTP/2, content needs neither a length nor the end of the connection.
        if !isChunked, !hasLength, content.isWhole, !exchange.head.isMultiplexed { reply.framing = "close" }
        // When a fixture has no length, the server adds that of its body as the last field.
        if content.isWhole, let last = lines.last, last.isNamed("Content-Length"),
            last.value == String(content.bytes.count)
        {
            lines.removeLast()
        }
        // The server computes the length from the body, since URLs in it have another length in the next run.
        var isLate = false
        if case .late = reply.body { isLate = true }
        if !content.isWhole || isLate { lines.removeAll { $0.isNamed("Content-Length") } }
    }

    private mutating func content(of sent: SentReply, at place: String) -> (bytes: [UInt8], isWhole: Bool) {
        guard let content = sent.codedContent ?? sent.content else {
            remarks.add(at: place, "the content of the reply is not in the journal, and was left out")
            return ([], false)
        }
        if !content.isWhole {
            remarks.add(
                at: place,
                "of the \(content.byteCount) bytes of content of the reply stand the first \(content.kept.count), as "
                    + "the journal has them")
        }
        guard reserve(content.kept.count) else {
            remarks.add(
                at: place, "the content of the reply was left out: a draft has \(Self.bodyByteLimit) bytes of content")
            return ([], false)
        }
        return (content.kept, content.isWhole)
    }

    private func body(_ content: [UInt8]) -> DraftBody {
        guard !content.isEmpty else { return .none }
        guard let text = String(validUTF8: content), !content.contains(0) else { return .bytes(content) }
        return addresses.occur(in: text) ? .late(addresses.late(text)) : .text(text)
    }

    private func members(_ fields: [HTTPField]) -> [YAMLTree.Member] {
        fields.map { field in
            .init(field.name, String(validUTF8: field.bytes).map { .text(addresses.late($0)) } ?? .base64(field.bytes))
        }
    }

    // MARK: Origins

    /// The origins that got requests, and those that only occur in URLs of replies.
    ///
    /// Their settings are those that a scenario can have.
    private mutating func origins(of source: Source, _ draft: Draft) -> [DraftOrigin] {
        let text = ScenarioText(draft, name: "", head: "", isAlone: true).text
        guard let scenario = source.scenario else {
            return [DraftOrigin(name: "main", url: "", settings: protocolSettings(of: "main"))]
        }
        var origins: [DraftOrigin] = []
        for origin in scenario.origins {
            let isAsked = multiplexed.contains(origin.name) || plain.contains(origin.name)
            guard origin.name == "main" || isAsked || text.contains(text: "{{origin.\(origin.name)}}") else { continue }
            if isAsked || origin.name != "main", let loss = origin.lossInDraft {
                remarks.add(at: "origin \(origin.name)", loss)
            }
            origins.append(
                DraftOrigin(
                    name: origin.name, url: source.origins[origin.name] ?? "",
                    settings: origin.draftSettings + protocolSettings(of: origin.name)))
        }
        return origins
    }

    /// The protocols of the origin, unless it was only HTTP/1.
    private func protocolSettings(of origin: String) -> [YAMLTree.Member] {
        guard multiplexed.contains(origin) else { return [] }
        return [.init("protocols", .list((plain.contains(origin) ? ["h2", "http/1.1"] : ["h2"]).map { .text($0) }))]
    }
}

extension DraftExchange {
    /// Equal replies at the end are written once, since the last reply repeats.
    fileprivate var withoutRepeatedReply: DraftExchange {
        var exchange = self
        while exchange.replies.count > 1, exchange.replies.last == exchange.replies.dropLast().last {
            exchange.replies.removeLast()
        }
        return exchange
    }
}

extension ProctorScenario.Origin {
    /// The keys of a fixture that say how the origin is served, but for its effects and how it speaks TLS.
    fileprivate var draftSettings: [YAMLTree.Member] {
        var members: [YAMLTree.Member] = []
        if role != .server { members.append(.init("role", .text(role.rawValue))) }
        if scheme != .http { members.append(.init("scheme", .text(scheme.rawValue))) }
        switch host {
        case .address: break
        case .loopback: members.append(.init("host", .text("127.0.0.1")))
        case .localhost: members.append(.init("host", .text("localhost")))
        case .otherAddress: members.append(.init("host", .text("other-address")))
        case .ipv6: members.append(.init("host", .text("ipv6")))
        case .name(let name): members.append(.init("host", .text(name)))
        }
        if let port { members.append(.init("port", .plain("\(port)"))) }
        if transport != .tcp { members.append(.init("transport", .text(transport.rawValue))) }
        if let tls, tls.given == nil, tls.certificate != TLSProgram().certificate {
            members.append(.init("certificate", .text(tls.certificate)))
        }
        return members
    }

    /// A sentence about the settings that a draft lacks; nil when it has all.
    fileprivate var lossInDraft: String? {
        var losses: [String] = []
        if !connectionEffects.isEmpty { losses.append("its effects") }
        if tls?.given != nil { losses.append("its certificate, which is a file of the fixture") }
        if var tls {
            tls.certificate = TLSProgram().certificate
            tls.given = nil
            // The answer to ALPN is computed from the protocols.
            if !hasOwnALPN { tls.applicationProtocols = TLSProgram().applicationProtocols }
            if tls != TLSProgram() { losses.append("how it speaks TLS") }
        }
        return losses.isEmpty ? nil : "\(losses.joined(separator: " and ")) were left out"
    }
}

import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorProgram
import ProctorScenario

/// A call with the thread on which it is made.
struct ProtocolCallKeys: Sendable {
    let call = Key<Node>("call", isRequired: true)
    let thread = Key("thread", Shape<ScenarioReader.ProtocolThread>.choice("a thread"))
    let headers = Key("headers", Shape<[ReplyField]>.fields("headers"))
    let version = Key("version", Shape<String>.nonEmptyText("a version"))
}

/// Reads the calls of a scripted URLProtocol: `response 200`, `data hello`, `finish`.
extension ScenarioReader {
    static let protocolCallTable = Table("a protocol call", ProtocolCallKeys())

    /// Reads the calls; one that can't be read is reported at its place.
    func protocolScript(_ node: Node) -> [ProtocolCall] {
        guard let items = sink.list(node, "protocol calls", limit: Bounds.protocolCalls) else { return [] }
        return items.compactMap(protocolCall)
    }

    enum ProtocolThread: String, CaseIterable { case client, other }

    private func protocolCall(_ node: Node) -> ProtocolCall? {
        guard node.entries != nil else { return act(node).map { ProtocolCall($0) } }
        guard let keys = Self.protocolCallTable.open(node, self) else { return nil }
        let act = keys[\.call].flatMap(act)
        let thread = keys[\.thread] ?? .client
        let fields = keys[\.headers] ?? []
        let version = keys[\.version]
        guard let act else { return nil }
        if case .response = act {
        } else if let key = keys.entry(\.headers) ?? keys.entry(\.version) {
            sink.report(key.keyNode, "\(quoted(key.key)) stands beside a response")
        }
        var call = ProtocolCall(act, isOnOtherThread: thread == .other)
        call.headers = fields.compactMap(scriptedField)
        call.version = version
        return call
    }

    /// A field in the form of assignments, which have no late-bound addresses outside of redirects.
    private func scriptedField(_ field: ReplyField) -> [String]? {
        guard let value = field.value.literalBytes else {
            return sink.refuse(field.location, "a field of a scripted response has no late-bound parts")
        }
        return [String(decoding: field.name, as: UTF8.self), String(decoding: value, as: UTF8.self)]
    }

    private static let plain: [(name: String, act: ProtocolCall.Act)] = [
        ("finish", .finish), ("cancel-challenge", .cancelChallenge), ("cached-response-valid", .cachedResponseIsValid),
        ("await-answer", .awaitAnswer), ("await-stop", .awaitStop),
    ]
    private static let calls =
        ["response", "data", "fail", "redirect", "challenge", "wait", "block", "block-on"] + plain.map(\.name)

    private func act(_ node: Node) -> ProtocolCall.Act? {
        guard let text = sink.text(node, "a protocol call") else { return nil }
        let name = String(text.prefix { $0 != " " })
        let argument = ScalarText(node, text).dropping(name.utf8.count + 1)
        if let call = Self.plain.first(where: { $0.name == name }) {
            guard text == name else { return wrong(argument, "\(quoted(name)) stands alone, found \(quoted(text))") }
            return call.act
        }
        switch name {
        case "response": return scriptedResponse(argument)
        case "data": return .data(argument.text)
        case "fail": return scriptedFailure(argument)
        case "redirect": return scriptedRedirect(argument)
        case "challenge": return scriptedChallenge(argument)
        case "wait": return delay(argument).map { .wait($0) }
        case "block": return delay(argument).map { .block($0) }
        case "block-on":
            guard argument.text == "main" else {
                return wrong(argument, "expected \"block-on main\", found \(quoted(text))")
            }
            return .blockOnMain
        default:
            return sink.refuse(
                node, "unknown protocol call \(quoted(name))", hint: DiagnosticSink.hint(for: name, among: Self.calls))
        }
    }

    private func delay(_ text: ScalarText) -> Duration? {
        if let nanoseconds = DurationText.nanoseconds(text.text), nanoseconds > 0,
            nanoseconds <= Bounds.waitNanoseconds
        {
            return .nanoseconds(nanoseconds)
        }
        return wrong(text, "expected \(DurationText.expected), more than 0 and at most 10m, found \(quoted(text.text))")
    }

    // MARK: Calls with arguments

    /// A status, then a content type and a cache storage policy in any order, each separated by one space.
    private func scriptedResponse(_ argument: ScalarText) -> ProtocolCall.Act? {
        let words = argument.words
        guard let first = words.first, let status = Self.status(first.text, in: Bounds.status) else {
            return wrong(argument, "expected \"response\" with a status from 100 to 999, found \(shown(words.first))")
        }
        var mime: String?
        var storage: ProtocolCall.Storage?
        for word in words.dropFirst() {
            if storage == nil, let known = ProtocolCall.Storage(rawValue: word.text) {
                storage = known
            } else if mime == nil, Self.isContentType(word.text) {
                mime = word.text
            } else {
                let names = ProtocolCall.Storage.allCases.map(\.rawValue).joined(separator: ", ")
                return wrong(
                    word,
                    "after the status come at most one content type like text/plain and one of \(names); found "
                        + quoted(word.text))
            }
        }
        return .response(status: status, mime: mime, storage: storage)
    }

    /// A negative code of NSURLErrorDomain, a name of one, or `DOMAIN#CODE`.
    private func scriptedFailure(_ argument: ScalarText) -> ProtocolCall.Act? {
        let text = argument.text
        if let code = Int(text), String(code) == text {
            guard (-99_999 ... -1).contains(code) else {
                return wrong(argument, "expected a code of NSURLErrorDomain from -99999 to -1, found \(text)")
            }
            return .fail(domain: URLErrorName.domain, code: code)
        }
        if let (domain, code) = URLErrorName.code(named: text) {
            guard text.contains("#") else { return .fail(domain: domain, code: code) }
            let isDomain = domain.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") }
            if isDomain, text == "\(domain)#\(code)", Int(Int32.min)...Int(Int32.max) ~= code {
                return .fail(domain: domain, code: code)
            }
        }
        let nearest = NearestName.find(text, in: URLErrorName.names)
        return wrong(
            argument,
            "expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found \(shown(argument))",
            hint: nearest.map { "did you mean \(quoted($0))?" } ?? "write fail -1004, fail timedOut or fail MyDomain#7")
    }

    /// `URL`, or `STATUS URL`; the URL has no spaces.
    private func scriptedRedirect(_ argument: ScalarText) -> ProtocolCall.Act? {
        var target = argument
        var status = ProtocolCall.usualRedirect
        if let first = argument.words.first, !first.text.isEmpty, first.text.utf8.allSatisfy(\.isASCIIDigit) {
            guard let number = Self.status(first.text, in: 300...399) else {
                return wrong(first, "expected a status of a redirect from 300 to 399, found \(first.text)")
            }
            status = number
            target = argument.dropping(first.text.utf8.count + 1)
        }
        guard !target.text.isEmpty else { return wrong(target, "\"redirect\" needs a URL") }
        guard let url = TemplateParser(scope: scope, sink: sink).parse(target) else { return nil }
        secondPass.later { [goesThroughProxy, target] resolver in
            let hosts = resolver.hosts(throughProxy: goesThroughProxy)
            let place = target.location(target.range.lowerBound)
            if !TargetPlace.staysOnMachine(url, hosts: hosts) {
                resolver.sink.report(
                    place, "the redirect target \(quoted(target.text)) is not on this machine", hint: hosts.hint)
            } else if url.holdsSpace {
                resolver.sink.report(
                    place, "the redirect target \(quoted(target.text)) holds a space", hint: "write %20")
            }
        }
        return .redirect(status: status, target: url)
    }

    private func scriptedChallenge(_ argument: ScalarText) -> ProtocolCall.Act? {
        let names = ChallengeKind.names
        if names.contains(argument.text) { return .challenge(kind: argument.text) }
        if argument.text.isEmpty {
            return wrong(argument, "\"challenge\" needs a kind", hint: "permitted: \(names.joined(separator: ", "))")
        }
        return wrong(
            argument, "unknown kind of challenge \(quoted(argument.text))",
            hint: DiagnosticSink.hint(for: argument.text, among: names))
    }

    private static func status(_ text: String, in range: ClosedRange<Int>) -> Int? {
        guard let number = Int(text), String(number) == text, range.contains(number) else { return nil }
        return number
    }

    private static func isContentType(_ text: String) -> Bool {
        guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return false }
        let type = text.utf8[..<slash]
        let rest = text.utf8[text.utf8.index(after: slash)...]
        return !type.isEmpty && type.allSatisfy(\.isTokenByte) && !rest.isEmpty
            && rest.allSatisfy { 0x21...0x7E ~= $0 }
    }

    private func shown(_ word: ScalarText?) -> String {
        guard let word, !word.text.isEmpty else { return "nothing" }
        return quoted(word.text)
    }

    /// Reports an error at the first byte of the text, and returns nil.
    private func wrong<Result>(_ text: ScalarText, _ sentence: String, hint: String? = nil) -> Result? {
        return sink.refuse(text.location(text.range.lowerBound), sentence, hint: hint)
    }
}

extension Template {
    /// Whether the text contains whitespace, a control character, or a date, which contains spaces.
    fileprivate var holdsSpace: Bool {
        parts.contains { part in
            switch part {
            case .literal(let bytes): bytes.contains { $0 <= 0x20 }
            case .now, .value: true
            case .base, .origin, .authority, .host, .port, .capture: false
            }
        }
    }
}

extension ScalarText {
    /// The parts between single spaces; between two adjacent spaces there is an empty part.
    fileprivate var words: [ScalarText] {
        bytes[range].split(separator: 0x20, omittingEmptySubsequences: false).map { slice in
            var word = self
            word.range = slice.startIndex..<slice.endIndex
            return word
        }
    }
}

import ProctorBase
import ProctorHTTP

/// Replies that the request chooses.
extension OpenAPICollector {
    /// The other responses and the named examples, which `Prefer: code=404` and `Prefer: example=NAME` choose, and the examples
    /// of parameters with the name of one of the reply's.
    mutating func addChoices(
        of operation: SourceValue, method: String, _ chosen: Response, _ asked: OperationRequest,
        parameters: (shared: SourceList, queryNames: [String])
    ) {
        let others = (operation["responses"]?.members ?? []).filter {
            $0.name != chosen.key && Self.status(of: $0.name) != nil
        }
        for (key, given) in others {
            guard let value = sampler.resolve(given), let status = Self.status(of: key) else { continue }
            let response = Response(key: key, status: status, value: value)
            for name in exampleNames(of: response) {
                addChoice(of: response, example: name, code: key, method, asked)
            }
            addChoice(of: response, example: nil, code: key, method, asked)
        }
        let names = exampleNames(of: chosen)
        for name in names { addChoice(of: chosen, example: name, code: nil, method, asked) }
        // What a request prefers stands before what its parameters say.
        for name in names {
            addExample(name, of: chosen, operation, method, asked, parameters.shared, parameters.queryNames)
        }
    }

    private mutating func addChoice(
        of response: Response, example: String?, code: String?, _ method: String, _ asked: OperationRequest
    ) {
        var words = code.map { ["code=\($0)"] } ?? []
        if let example { words.append("example=\(example)") }
        var asked = asked
        asked.request.headers.append(.init("Prefer", Self.preference(code: code, example: example)))
        let reply = reply(response, method: method, example: example)
        let place = response.value.place + (example.map { ", example \($0)" } ?? "")
        addOnce(reply, asking: asked, prefer: words.joined(separator: ", "), at: place)
    }

    /// The bounds of a scenario leave room for so many choices; what is beyond them is told once.
    private mutating func addOnce(
        _ reply: DraftReply, asking asked: OperationRequest, prefer: String?, at place: String
    ) {
        choiceByteCount += 1_000
        if case .text(let text) = reply.body { choiceByteCount += text.utf8.count }
        guard exchanges.count < Self.choiceLimit, choiceByteCount <= Self.choiceByteLimit else {
            leftChoices += 1
            return
        }
        choices.insert(exchanges.count)
        addExchange(reply, asking: asked, prefer: prefer, at: place)
    }

    private static let choiceLimit = 900
    private static let choiceByteLimit = 2 << 20

    /// Prefer (RFC 7240) with these words among others, in one field.
    private static func preference(code: String?, example: String?) -> YAMLTree {
        var ahead = code.map { "(?=(?:.*[,; ])?(?i:code)=\"?\($0)\"?(?:[,; ].*)?$)" } ?? ""
        if let example { ahead += "(?=(?:.*[,; ])?(?i:example)=\"?\(RegexText.escape(example))\"?(?:[,; ].*)?$)" }
        return ["matches": .text(ahead + ".*")]
    }

    /// A reply by the named example to a request with the parameters' examples of the same name.
    private mutating func addExample(
        _ name: String, of response: Response, _ operation: SourceValue, _ method: String, _ asked: OperationRequest,
        _ shared: SourceList, _ queryNames: [String]
    ) {
        var asked = asked
        var isChanged = false
        for given in [shared, operation["parameters"]?.items ?? []].joined() {
            guard let parameter = sampler.resolve(given), let key = parameter["name"]?.text,
                let example = parameter["examples"]?[name].flatMap({ sampler.resolve($0) })?["value"]?.text
            else { continue }
            switch parameter["in"]?.text {
            case "path" where Self.isSegment(example):
                asked.path = asked.path.replacing(text: "{\(key)}", with: example)
                isChanged = true
            case "query" where queryNames.contains(key):
                asked.request.query?.removeAll { $0.key == key }
                asked.request.query?.append(.init(key, .text(LiteralText.pattern(example))))
                asked.pairs.removeAll { $0.name == Array(key.utf8) }
                asked.pairs.append(.init(name: key.utf8, value: example.utf8))
                isChanged = true
            default: continue
            }
        }
        guard isChanged else { return }
        asked.request.path = .text(Self.pattern(asked.path).text)
        let reply = reply(response, method: method, example: name)
        addOnce(reply, asking: asked, prefer: nil, at: "\(response.value.place), example \(name) of parameters")
    }

    private static func isSegment(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._~:".utf8.contains($0) }
    }

    /// The names of a response's examples that have a value here and can stand in Prefer.
    private mutating func exampleNames(of response: Response) -> [String] {
        guard !ReplyHead.hasNoContent(response.status), let media = Self.media(of: response.value)?.value else {
            return []
        }
        return (media["examples"]?.members ?? []).map(\.name).filter { name in
            name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\",;".utf8.contains($0) } && !name.isEmpty
                && media["examples"]?[name].flatMap({ sampler.resolve($0) })?["value"] != nil
        }
    }
}

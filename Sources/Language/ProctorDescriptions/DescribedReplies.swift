internal import ProctorBase
internal import ProctorDocument
internal import ProctorOpenAPI
internal import ProctorScenario

/// Holds the exchanges of a scenario against its OpenAPI description, as far as they are known when it is loaded.
struct DescribedReplies {
    private let service: OpenAPIService
    private let sink: DiagnosticSink

    init(_ service: OpenAPIService, _ sink: DiagnosticSink) {
        (self.service, self.sink) = (service, sink)
    }

    private static let hint = "write replies: false under expect: where a reply is wrong on purpose"

    /// Reports each exchange and each reply that is not as described.
    func check(_ exchanges: [Exchange]) {
        for exchange in exchanges where service.origin == nil || service.origin == exchange.origin {
            for line in lines(of: exchange.request) { check(exchange, line) }
        }
    }

    private func check(_ exchange: Exchange, _ line: (line: APIDescription.RequestLine, isExact: Bool)) {
        if let refusal = service.description.refusal(of: line.line) {
            if line.isExact {
                sink.report(
                    exchange.location, "no request of this exchange is as \(service.description.file) says: \(refusal)",
                    hint: "describe it, or write expect: with the origin: that is described")
            }
            return
        }
        guard service.judgesReplies else { return }
        for reply in exchange.replies {
            guard case .structured(let message)? = reply.message, let described = DescribedMessage(message) else {
                continue
            }
            let verdict = service.description.judge(
                replyTo: line.line, status: message.status, described, within: WorkBudget(stepLimit: 1_000_000))
            for fault in verdict.faults {
                sink.report(
                    reply.location,
                    "this reply is not as \(service.description.file) says of \(verdict.operation ?? "it"): "
                        + fault.description, hint: Self.hint)
            }
        }
    }

    /// The requests that a pattern stands for, one for each method; a capture stands for itself.
    private func lines(of pattern: RequestPattern) -> [(line: APIDescription.RequestLine, isExact: Bool)] {
        guard pattern.expression == nil, let methods = pattern.methods else { return [] }
        var target: [UInt8] = []
        var isExact = true
        for part in pattern.target.parts {
            switch part {
            case .literal(let bytes): target += bytes
            case .capture:
                isExact = false
                target.append(UInt8(ascii: "x"))
            case .wildcard:
                // What follows the path does not decide about the operation.
                guard target.contains(UInt8(ascii: "?")) else { return [] }
            }
        }
        guard target.first == UInt8(ascii: "/") else { return [] }
        return methods.map { method in
            (APIDescription.RequestLine(method: String(decoding: method, as: UTF8.self), target: target), isExact)
        }
    }
}

extension DescribedMessage {
    /// nil where fields or content are known only when the reply is made.
    fileprivate init?(_ reply: StructuredReply) {
        guard reply.honours.isEmpty, reply.coding == nil else { return nil }
        var fields: [(name: String, value: [UInt8])] = []
        for field in reply.headers {
            guard let value = field.value.literalBytes else { return nil }
            fields.append((String(decoding: field.name.map(\.asciiLowercased), as: UTF8.self), value))
        }
        var content: [UInt8] = []
        for piece in reply.body {
            guard case .bytes(let source) = piece else { continue }
            guard let bytes = source.literalBytes else { return nil }
            content += bytes
        }
        if reply.framing == .unspecified, !fields.contains(where: { $0.name == "content-length" }) {
            fields.append(("content-length", Array("\(content.count)".utf8)))
        }
        self.init(fields: fields, content: content.isEmpty ? .none : .whole(content))
    }
}

internal import ProctorBase
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// A webhook whose texts have the values of the request, ready to be sent.
struct BoundWebhook: Sendable {
    let number: Int
    let webhook: Webhook
    let url: ListenerURL
    let id: [UInt8]
    /// Name and value of each further field.
    private let fields: [(name: [UInt8], value: [UInt8])]
    let content: [UInt8]
    private let secret: [UInt8]

    /// The most bytes of its content.
    private static let contentLimit = 1 << 20

    /// Throws why it can't be sent, a sentence.
    init(
        _ webhook: Webhook, number: Int, through gate: OutgoingGate, _ inputs: inout PlanInputs
    ) throws(WebhookFailure) {
        (self.webhook, self.number) = (webhook, number)
        url = try ListenerURL(Self.bytes(webhook.target, &inputs))
        id =
            try webhook.id.map { source throws(WebhookFailure) in try Self.bytes(source, &inputs) }
            ?? Array("msg_\(number)".utf8)
        content = try Self.bytes(webhook.content, &inputs)
        secret =
            try webhook.signing.map { signing throws(WebhookFailure) in try Self.bytes(signing.secret, &inputs) }
            ?? []
        fields = webhook.fields.map { (name: $0.name, value: inputs.bytes(of: $0.value)) }
        if let failure = inputs.failure { throw WebhookFailure(sentence: "its text can't be made: \(failure)") }
        do throws(OutgoingRefusal) {
            try gate.check(url.address, url.target, isFixed: webhook.namesListener)
        } catch {
            throw WebhookFailure(sentence: error.sentence)
        }
    }

    private static func bytes(_ source: ByteSource, _ inputs: inout PlanInputs) throws(WebhookFailure) -> [UInt8] {
        let source = ContentSource(inputs.bound(source))
        guard source.byteCount <= contentLimit else {
            throw WebhookFailure(
                sentence: "a part of it has \(source.byteCount) bytes; at most \(contentLimit) are permitted")
        }
        var bytes: [UInt8] = []
        do {
            try ContentPiece(source).read { span in
                for index in span.indices { bytes.append(span[index]) }
            }
        } catch {
            throw WebhookFailure(sentence: "a file of it can't be read: \(error)")
        }
        return bytes
    }

    /// What is wrong with it on purpose, for the journal; nil: nothing.
    var mistakes: String? {
        let signing = webhook.signing?.mistake.map { "signature \($0.rawValue)" }
        let texts = [signing, webhook.mistake?.rawValue].compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    /// The message in the pieces in which it is written; `now` is in seconds since 1970, by the clock of the run.
    func pieces(at now: Int) throws(WebhookFailure) -> [[UInt8]] {
        var lines = [Array("POST ".utf8) + url.target + Array(" HTTP/1.1".utf8), Array("Host: ".utf8) + url.authority]
        func add(_ name: String, _ value: [UInt8]) { lines.append(Array("\(name): ".utf8) + value) }
        if !fields.contains(where: { Self.isNamed($0.name, "content-type") }) {
            add("Content-Type", Array("application/json".utf8))
        }
        if let signing = webhook.signing {
            let signature = WebhookSignature(
                form: signing.form, mistake: signing.mistake, secret: secret, id: id, content: content, now: now)
            for field in try signature.fields() { add(field.name, field.value) }
        }
        for field in fields { lines.append(field.name + Array(": ".utf8) + field.value) }
        if webhook.mistake == .chunked {
            add("Transfer-Encoding", Array("chunked".utf8))
        } else {
            let left = webhook.mistake == .shortLength ? min(content.count, Self.leftByteCount) : 0
            add("Content-Length", Array(String(content.count - left).utf8))
        }
        add("Connection", Array("close".utf8))
        let head = Array(lines.joined(separator: Array("\r\n".utf8))) + Array("\r\n\r\n".utf8)
        let half = content.count / 2
        return switch webhook.mistake {
        case .cutBody: [head + content[..<half]]
        case .twoPieces: [head + content[..<half], Array(content[half...])]
        case .chunked: [head + Self.chunk(content[..<half]) + Self.chunk(content[half...]) + Array("0\r\n\r\n".utf8)]
        case .shortLength, .leaves, nil: [head + content]
        }
    }

    /// The bytes of the content that a short Content-Length leaves out.
    private static let leftByteCount = 4

    private static func chunk(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.isEmpty ? [] : Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    private static func isNamed(_ name: [UInt8], _ wanted: String) -> Bool {
        String(decoding: name, as: UTF8.self).lowercased() == wanted
    }
}

internal import ProctorBase
internal import ProctorCoding
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorProtobuf
internal import ProctorReplies
internal import ProctorScenario

/// Messages of gRPC behind their five bytes of flags and length, without the coding of each.
struct FramedMessages {
    let messages: [[UInt8]]

    static let prefixByteCount = 5

    init(parsing bytes: [UInt8]) throws(LineFault) {
        var messages: [[UInt8]] = []
        var offset = 0
        while offset < bytes.count {
            guard let message = try Self.message(in: bytes[offset...]) else {
                throw LineFault(offset, "a message of gRPC is cut: \(bytes.count - offset) bytes of it are there")
            }
            messages.append(message.content)
            offset += message.byteCount
        }
        self.messages = messages
    }

    /// The first message and how many bytes it takes; nil while it is not whole.
    static func message(in bytes: ArraySlice<UInt8>) throws(LineFault) -> (content: [UInt8], byteCount: Int)? {
        guard bytes.count >= prefixByteCount else { return nil }
        let start = bytes.startIndex
        let count = bytes[(start + 1)..<(start + prefixByteCount)].reduce(0) { $0 << 8 | Int($1) }
        guard count <= ProtobufReader.byteBound else {
            throw LineFault(start, "a message says \(count) bytes; at most \(ProtobufReader.byteBound) are read")
        }
        guard bytes[start] <= 1 else {
            throw LineFault(start, "the flags of a message are 0 or 1, found \(bytes[start])")
        }
        guard bytes.count - prefixByteCount >= count else { return nil }
        let content = Array(bytes[(start + prefixByteCount)...].prefix(count))
        return (bytes[start] == 0 ? content : try decoded(content, at: start), prefixByteCount + count)
    }

    /// Decodes a message by what its bytes begin with, since the coding stands in a field of the head.
    private static func decoded(_ bytes: [UInt8], at offset: Int) throws(LineFault) -> [UInt8] {
        let coding =
            bytes.starts(with: [0x1F, 0x8B])
            ? "gzip" : bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) ? "zstd" : "deflate"
        let decoded = try? ReceivedCodings([Array(coding.utf8)])?.decode(bytes, upTo: ProtobufReader.byteBound)
        switch decoded {
        case .bytes(let bytes)?: return bytes
        case .refused(let sentence)?: throw LineFault(offset, "a message is compressed: \(sentence)")
        case nil: throw LineFault(offset, "a message is compressed in a coding that is not read")
        }
    }

    static func framed(_ message: [UInt8]) -> [UInt8] {
        let count = message.count
        return [0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + message
    }
}

/// Messages that a call must send: one, or of a stream the list of them.
struct MessagesCondition: ContentCondition {
    let calls: DescribedCalls
    let method: ServiceType.Method
    let pattern: JSONPattern

    var noun: String { "messages of gRPC" }
    var example: String? { nil }

    func verdict(on content: (any JudgedContent)?, within budget: WorkBudget?) -> Verdict {
        guard let content else { return .fails }
        do throws(SpentBudget) {
            guard case .value(let document) = try document(content, within: budget) else { return .fails }
            return JSONMatcher.verdict(pattern, on: document, within: budget)
        } catch {
            return .undecided
        }
    }

    func differences(in content: (any JudgedContent)?, within budget: WorkBudget?) -> [String] {
        switch DecodedContent.reading(content, { content throws(SpentBudget) in try document(content, within: budget) })
        {
        case .other(let got): return ["body: wanted \(method.input) of gRPC, got \(got)"]
        case .value(let document):
            var matcher = JSONMatcher(document, within: budget)
            let differences = matcher.agreement(with: pattern, isTold: true).differences
            return (differences.isEmpty ? [matcher.difference(pattern)].compactMap(\.self) : differences)
                .map { "body \($0.sentence)" }
        }
    }

    /// The messages as one document of JSON.
    private func document(
        _ content: any JudgedContent, within budget: WorkBudget?
    ) throws(SpentBudget) -> DecodedContent<JSONDocument> {
        let framed = try content.value(of: "gRPC", within: budget) { body throws(LineFault) in
            try FramedMessages(parsing: body)
        }
        guard case .value(let framed) = framed else { return framed.other() }
        try budget?.spend(framed.messages.reduce(0) { $0 + $1.count } / Self.bytesOfStep)
        if !method.clientStreams, framed.messages.count != 1 {
            return .other("\(framed.messages.count) messages where the call has one")
        }
        var texts: [[UInt8]] = []
        for (index, message) in framed.messages.enumerated() {
            do throws(LineFault) {
                texts.append(try ProtobufReader.json(of: message, as: method.input, in: calls.descriptors))
            } catch {
                return .other(
                    "message \(index + 1), which is no \(method.input): \(error.sentence), at its byte \(error.offset)")
            }
        }
        let joined = Array(texts.joined(separator: [UInt8(ascii: ",")]))
        let text = method.clientStreams ? [UInt8(ascii: "[")] + joined + [UInt8(ascii: "]")] : joined
        do throws(LineFault) {
            return .value(try JSONDocument(parsing: text))
        } catch {
            return .other("messages that are not compared: \(error.sentence)")
        }
    }

    private static let bytesOfStep = 8
}

extension ScenarioReader {
    func callMessages(_ node: Node) -> (any ContentCondition)? {
        guard let calls = describedCalls(node), let method = calls.method(target, node, sink) else { return nil }
        let nodes = MessageNodes(descriptors: calls.descriptors, reader: self)
        let pattern =
            method.clientStreams ? nodes.patterns(node, as: method.input) : nodes.pattern(node, as: method.input)
        return pattern.map { MessagesCondition(calls: calls, method: method, pattern: $0) }
    }
}

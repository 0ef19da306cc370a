internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// The late-bound values of one request, each form of its content decoded at most once; on the request's loop thread
/// only.
final class RequestValues {
    private let request: RequestView?
    private let numbers: RequestNumbers
    /// Why a value can't be told, as a sentence without a subject.
    private(set) var failure: String?

    private lazy var decoded = request.map { request in
        request.decoded ?? DecodedBody(request.head, body: request.body, gap: request.bodyGap) { nil }
    }
    private lazy var json = content.flatMap { content in try? JSONDocument(parsing: content) }

    /// Without a request, only numbers and random values have text.
    init(_ request: RequestView?, _ numbers: RequestNumbers) {
        (self.request, self.numbers) = (request, numbers)
    }

    func text(of value: LateValue, _ escape: LateEscape) -> [UInt8] {
        if case .json(let pointer) = value {
            if escape == .jsonValue { return jsonText(at: pointer) }
            if escape == .jsonLine { return LateEscape.field.applied(to: jsonText(at: pointer)) }
        }
        return escape.applied(to: bytes(of: value))
    }

    /// Empty where the request has no such value.
    private func bytes(of value: LateValue) -> [UInt8] {
        switch value {
        case .connectionNumber: return Array(String(numbers.connection).utf8)
        case .requestNumber: return Array(String(numbers.request).utf8)
        case .uuid(let place): return uuid(at: place)
        case .random(let range, let place):
            return Array(String(numbers.seed.number(in: range, request: numbers.request, place: place)).utf8)
        case .body: return content ?? []
        case .codedBody: return codedContent ?? []
        case .form(let name): return formValue(name)
        case .json(let pointer): return jsonBytes(at: pointer)
        case .message: return message
        case .description: return RequestDescription(request, numbers, content: content).json
        // Bound by the caller, who knows them.
        case .capture, .state: return []
        case .method, .target, .path, .query, .header, .cookie:
            return request.flatMap { Self.headBytes(of: value, in: $0) } ?? []
        }
    }

    /// Empty where the head has no such value; nil for a value that is not of the head.
    static func headBytes(of value: LateValue, in request: RequestView) -> [UInt8]? {
        switch value {
        case .method: return Array(request.head.methodBytes)
        case .target: return request.target
        case .path: return Array(request.path)
        case .query(let name): return request.query.flatMap { URLEncodedForm.firstValue(of: name, in: $0) } ?? []
        case .header(let name):
            return Array(request.head.fields.values(named: Array(name.utf8)).joined(separator: Array(", ".utf8)))
        case .cookie(let name):
            let fields = request.head.fields.values(named: "Cookie").lazy.map { CookieField(parsing: Array($0)) }
            return fields.flatMap(\.pairs).first { $0.name.elementsEqual(name.utf8) }?.value ?? []
        case .connectionNumber, .requestNumber, .uuid, .random, .body, .codedBody, .form, .json, .message, .description,
            .capture,
            .state:
            return nil
        }
    }

    /// RFC 9562 §5.4: version 4, whose other 122 bits are random.
    private func uuid(at place: RandomPlace) -> [UInt8] {
        var bytes: [UInt8] = []
        for draw in 0..<2 {
            let number = numbers.seed.number(request: numbers.request, place: place, draw: draw)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            for digit in [byte >> 4, byte & 15] {
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        return text
    }

    // MARK: Content

    /// Without its codings; nil where it is not known as a whole, which is noted.
    private var content: [UInt8]? {
        guard let request, let decoded, request.isCoded else { return codedContent }
        switch try? decoded.bytes(within: nil) {
        case .value(let bytes)?: return bytes
        case .other(let got)?: failure = failure ?? "it needs all content of its request, which is \(got)"
        case nil: break
        }
        return nil
    }

    /// As it came; nil where it is not known as a whole, which is noted.
    private var codedContent: [UInt8]? {
        guard let request else { return nil }
        if let body = request.body { return body }
        failure = failure ?? "it needs all content of its request, which is \(request.bodyGap ?? DecodedBody.unread)"
        return nil
    }

    private func formValue(_ name: String) -> [UInt8] {
        guard content != nil, let decoded else { return [] }
        if case .value(let pairs) = try? decoded.form(within: nil) {
            return pairs.first { $0.name.elementsEqual(name.utf8) }?.value ?? []
        }
        guard case .value(let parts) = try? decoded.parts(within: nil) else { return [] }
        return parts.first { $0.name.elementsEqual(name.utf8) }?.content ?? []
    }

    /// The text of a string, and any other value as it was written.
    private func jsonBytes(at pointer: JSONPointer) -> [UInt8] {
        guard let json, let index = json.index(at: pointer) else { return [] }
        if case .text(let bytes) = json.values[index].kind { return bytes }
        return Array(json.text(of: index))
    }

    private func jsonText(at pointer: JSONPointer) -> [UInt8] {
        guard let json, let index = json.index(at: pointer) else { return Array("null".utf8) }
        return Array(json.text(of: index))
    }

    /// The message as it came; of chunked content the lines around the chunks too, with CRLF as their ends.
    private var message: [UInt8] {
        guard let request, let content = codedContent else { return [] }
        let incoming = numbers.source?.receivedBody
        let head = numbers.source?.receivedHead ?? request.head
        guard case .chunked = head.framing, let incoming else { return Array(head.bytes) + content }
        guard incoming.chunkLines.count == incoming.chunks.count + 1 else {
            failure = failure ?? "it echoes a request whose chunks are too many to be kept"
            return []
        }
        let lineEnd: [UInt8] = [0x0D, 0x0A]
        var bytes = Array(head.bytes)
        var rest = content[...]
        for (line, byteCount) in zip(incoming.chunkLines, incoming.chunks) {
            bytes += line + lineEnd + rest.prefix(byteCount) + lineEnd
            rest = rest.dropFirst(byteCount)
        }
        for line in incoming.chunkLines.suffix(1) + incoming.trailers { bytes += line + lineEnd }
        return bytes + lineEnd
    }
}

extension LateEscape {
    func applied(to bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .none: return bytes
        case .field: return bytes.map { $0 == 0 || $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        case .eventData: return Array(EventData.lines(of: bytes).joined(separator: Array("\ndata: ".utf8)))
        case .jsonText, .jsonValue, .jsonLine:
            var json = JSONText()
            // JSON has no bytes that are not UTF-8; each becomes U+FFFD.
            json.string(String(decoding: bytes, as: UTF8.self))
            return Array(json.bytes.dropFirst().dropLast())
        }
    }
}

internal import ProctorBase
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing
internal import ProctorWebSocket

extension WebSocketArrival {
    /// Whether it may come while something else is expected: a Ping or a Pong (RFC 6455 §5.5.2, §5.5.3).
    var mayStandBetween: Bool { if case .control = self { true } else { false } }

    /// For the journal: `a text message "hello"`.
    var words: String {
        switch self {
        case .message(let content, let isText): WebSocketExpectation.words(content, isText: isText)
        case .control(let opcode, let payload): "a \(opcode) \(WebSocketExpectation.quote(payload))"
        case .close(let code, let reason):
            "a close" + (code.map { " \($0.rawValue)" } ?? "")
                + (reason.isEmpty ? "" : " \(WebSocketExpectation.quote(reason))")
        }
    }
}

extension WebSocketExpectation {
    fileprivate static func quote(_ bytes: [UInt8]) -> String { "\"\(EscapedText.escape(bytes, limit: 100))\"" }

    fileprivate static func words(_ content: [UInt8], isText: Bool) -> String {
        let note = WebSocketFrameNote.Message(
            isText ? .text : .binary, byteCount: content.count, kept: Array(content.prefix(100)))
        return isText ? "a text message \(note.words)" : "a binary message \(note.words)"
    }

    /// For the journal: `a text message "hello"`.
    var words: String {
        switch self {
        case .message(let source, let isText):
            (try? source.readBytes()).map { Self.words($0, isText: isText) } ?? "a message of a file"
        case .text(let condition): "a text message \(condition.wanted)"
        case .json(let pattern): "a text message of JSON \(pattern.wanted)"
        case .control(let opcode, let payload):
            "a \(opcode)" + (payload.flatMap { try? $0.readBytes() }.map { " \(Self.quote($0))" } ?? "")
        case .close(let code): "a close" + (code.map { " \($0.rawValue)" } ?? "")
        }
    }

    fileprivate func holds(for arrival: WebSocketArrival) throws(ConnectionEnd) -> Bool {
        switch (self, arrival) {
        case (.message(let source, let isText), .message(let content, let isTextMessage)):
            return isText == isTextMessage ? try source.readBytes() == content : false
        case (.text(let condition), .message(let content, true)): return condition.holds(for: content)
        case (.json(let pattern), .message(let content, true)):
            guard let document = try? JSONDocument(parsing: content) else { return false }
            return JSONMatcher.verdict(pattern, on: document, within: nil) == .holds
        case (.control(let wanted, let source), .control(let opcode, let payload)):
            guard wanted == opcode else { return false }
            return try source.map { source throws(ConnectionEnd) in try source.readBytes() == payload } ?? true
        case (.close(let wanted), .close(let code, _)): return wanted == nil || wanted == code
        default: return false
        }
    }
}

extension [WebSocketExpectation] {
    /// The first one that holds.
    func firstMatch(_ arrival: WebSocketArrival) throws(ConnectionEnd) -> Int? {
        for index in indices where try self[index].holds(for: arrival) { return index }
        return nil
    }

    /// Where a message of JSON differs from the only one that is expected, in at most five places:
    /// ` (json /name: wanted "desk", got "disk")`; else empty.
    func differences(of arrival: WebSocketArrival) -> String {
        guard count == 1, case .json(let pattern) = self[0], case .message(let content, true) = arrival,
            let document = try? JSONDocument(parsing: content)
        else { return "" }
        var matcher = JSONMatcher(document)
        let agreement = matcher.agreement(with: pattern, isTold: true)
        var sentences = agreement.differences.map(\.sentence)
        if sentences.isEmpty { sentences = [matcher.difference(pattern)].compactMap { $0?.sentence } }
        guard !sentences.isEmpty else { return "" }
        if agreement.failedCount > sentences.count {
            sentences.append("and \(agreement.failedCount - sentences.count) more")
        }
        return " (\(sentences.joined(separator: "; ")))"
    }
}

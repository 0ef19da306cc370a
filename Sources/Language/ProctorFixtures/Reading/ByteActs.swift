import ProctorDocument
import ProctorHTTP
import ProctorProgram
import ProctorScenario

struct ByteActKeys: Sendable {
    let head = Key("head", Shape<[UInt8]>.literal("a head", limit: Bounds.messageByteCount))
    let send = Key("send", Shape<[UInt8]>.literal("the bytes", limit: Bounds.messageByteCount))
    let receive = Key("receive", Shape<ByteAct.Awaited>.choice("what is awaited"))
    let wait = Key("wait", Shape<Int>.milliseconds("a wait"))
    let connect = Key("connect", Shape<ByteAct.Speech>.choice("how a connection speaks"))
    let frame = Key<FrameTemplate>("frame") { $1.clientFrame($0) }
    let seen = Key("seen", Shape<Int>.integer("a number of requests", in: 1...Bounds.byteActs))
    let use = Key("use", Shape<Int>.integer("the number of a connection", in: 0...(Bounds.byteConnections - 1)))
}

/// Reads what a client sends byte by byte.
extension ScenarioReader {
    static let byteActTable = Table("an act of bytes", ByteActKeys())

    /// Reads the acts; one that can't be read is reported at its place.
    func byteActs(_ node: Node) -> [ByteAct] {
        // The first one opens by itself where an act is before the first `connect`.
        var connectionCount = 0
        let acts = oneOrMore(node, "acts of bytes", limit: Bounds.byteActs).compactMap { item -> ByteAct? in
            guard let act = byteAct(item) else { return nil }
            if connectionCount == 0, !act.opensConnection { connectionCount = 1 }
            switch act {
            case .connect:
                connectionCount += 1
                if connectionCount > Bounds.byteConnections {
                    sink.report(item, "a step has at most \(Bounds.byteConnections) connections")
                }
            case .use(let number) where number >= connectionCount:
                sink.report(item, "there is no connection \(number) yet; \(connectionCount) are open, counted from 0")
            case .use, .send, .frame, .receive, .seen, .wait, .endSending, .reset, .close: break
            }
            return act
        }
        return acts
    }

    private func byteAct(_ node: Node) -> ByteAct? {
        guard node.entries != nil else {
            return sink.word(
                node, "an act of bytes", among: ByteAct.plain.map { ($0.word, $0) },
                mappings: [
                    ("head", "write { head: … }"), ("send", "write { send: … }"),
                    ("receive", "write { receive: reply }"),
                ])
        }
        guard let keys = Self.byteActTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        guard keys.entries.count == 1 else {
            return sink.refuse(
                node,
                "an act of bytes is one of head, send, connect, frame, receive, seen, wait and use, found "
                    + "\(keys.entries.count) keys")
        }
        if let lines = keys[\.head] { return .send(Assignment.Bytes.encode(Self.head(ofLines: lines)), isHead: true) }
        if let bytes = keys[\.send] { return .send(Assignment.Bytes.encode(bytes), isHead: false) }
        if let awaited = keys[\.receive] { return .receive(awaited) }
        if let speech = keys[\.connect] { return .connect(speech) }
        if let template = keys[\.frame] { return frameAct(template, node) }
        if let count = keys[\.seen] { return .seen(count) }
        if let milliseconds = keys[\.wait] { return .wait(milliseconds) }
        return keys[\.use].map { .use($0) }
    }

    /// Its types are those of HTTP/2, whatever the origins speak.
    fileprivate func clientFrame(_ node: Node) -> FrameTemplate? {
        var reader = self
        reader.place = .unknown
        return Self.frame.shape.read(node, reader)
    }

    /// A frame that a client sends: its own stream is the one that it opened last.
    private func frameAct(_ template: FrameTemplate, _ node: Node) -> ByteAct? {
        guard let type = template.type.http2?.rawValue, template.statedByteCount == nil, !template.hasReservedBit else {
            return sink.refuse(
                node, "a frame of a client that sends bytes has a type of RFC 9113 §6, and neither length nor reserved")
        }
        let stream: Int?
        switch template.stream {
        case .this: stream = nil
        case .connection: stream = 0
        case .number(let number): stream = Int(number)
        case .idle, .critical:
            return sink.refuse(node, "the stream of a frame that a client sends is this, connection or a number")
        }
        var fields: [[String]]?
        var payload: [UInt8] = []
        switch template.content {
        case .payload(let bytes): payload = bytes
        case .fields(let lines, let promised):
            guard promised == nil else { return sink.refuse(node, "a client promises no stream (RFC 9113 §8.4)") }
            var pairs: [[String]] = []
            for line in lines {
                guard let value = line.value.literalBytes else {
                    return sink.refuse(node, "the fields of a client that sends bytes are as they stand in the file")
                }
                pairs.append([String(decoding: line.name, as: UTF8.self), String(decoding: value, as: UTF8.self)])
            }
            fields = pairs
        }
        return .frame(
            ByteAct.Frame(
                type: type, flags: template.flags.rawValue, stream: stream, fields: fields,
                payload: Assignment.Bytes.encode(payload)))
    }

    /// The lines of a head with CRLF behind each, and the empty line; one CR before an LF of the file stays one.
    private static func head(ofLines text: [UInt8]) -> [UInt8] {
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            line.last == 0x0D ? line.dropLast() : line
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.flatMap { $0 + [0x0D, 0x0A] } + [0x0D, 0x0A]
    }
}

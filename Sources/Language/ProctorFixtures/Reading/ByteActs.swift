import ProctorDocument
import ProctorProgram
import ProctorScenario

struct ByteActKeys: Sendable {
    let head = Key("head", Shape<[UInt8]>.literal("a head", limit: Bounds.messageByteCount))
    let send = Key("send", Shape<[UInt8]>.literal("the bytes", limit: Bounds.messageByteCount))
    let receive = Key("receive", Shape<ByteAct.Awaited>.choice("what is awaited"))
    let wait = Key("wait", Shape<Int>.milliseconds("a wait"))
    let use = Key("use", Shape<Int>.integer("the number of a connection", in: 0...(Bounds.byteConnections - 1)))
}

/// Reads what a client sends byte by byte.
extension ScenarioReader {
    static let byteActTable = Table("an act of bytes", ByteActKeys())

    /// Reads the acts; one that can't be read is reported at its place.
    func byteActs(_ node: Node) -> [ByteAct] {
        var connectionCount = 1
        let acts = oneOrMore(node, "acts of bytes", limit: Bounds.byteActs).compactMap { item -> ByteAct? in
            guard let act = byteAct(item) else { return nil }
            switch act {
            case .connect:
                connectionCount += 1
                if connectionCount > Bounds.byteConnections {
                    sink.report(item, "a step has at most \(Bounds.byteConnections) connections")
                }
            case .use(let number) where number >= connectionCount:
                sink.report(item, "there is no connection \(number) yet; \(connectionCount) are open, counted from 0")
            case .use, .send, .receive, .wait, .endSending, .reset, .close: break
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
                node, "an act of bytes is one of head, send, receive, wait and use, found \(keys.entries.count) keys")
        }
        if let lines = keys[\.head] { return .send(Assignment.Bytes.encode(Self.head(ofLines: lines)), isHead: true) }
        if let bytes = keys[\.send] { return .send(Assignment.Bytes.encode(bytes), isHead: false) }
        if let awaited = keys[\.receive] { return .receive(awaited) }
        if let milliseconds = keys[\.wait] { return .wait(milliseconds) }
        return keys[\.use].map { .use($0) }
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

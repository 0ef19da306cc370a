import ProctorBase
import ProctorDocument
package import ProctorScenario

/// What a module reads of `events:`, and what such a reply has by itself.
extension ScenarioReader {
    package static let eventStream = LanguageSlot<[BodyPiece]>("the part for event streams")

    /// The stream as pieces of a body; reports what stands beside it.
    func eventStream(_ entry: Node.Entry, _ reply: Mapping<ReplyKeys>) -> [BodyPiece] {
        for key in ["body", "honours"] {
            guard let other = reply.entries.first(where: { $0.key == key }) else { continue }
            sink.report(other.keyNode, "\(quoted(key)) does not go with \"events\", which are the content")
        }
        return Self.eventStream.shape.read(entry.value, self) ?? []
    }

    /// Content-Type and Cache-Control stand before the fields of the fixture, which may have others.
    static func fieldsOfEventStream(_ own: [ReplyField], at location: SourceLocation) -> [ReplyField] {
        let usual = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
        return usual.filter { name, _ in !own.contains { $0.isNamed(name.lowercased()) } }.map { name, value in
            ReplyField(
                name: Array(name.utf8), value: Template(parts: [.literal(Array(value.utf8))]), location: location)
        } + own
    }

    /// Chunks where the version has them and no field of the fixture says otherwise.
    static func framingOfEventStream(
        status: Int, version: String, _ headers: [ReplyField]
    ) -> StructuredReply.Framing {
        let saysOtherwise = headers.contains { $0.isNamed("content-length") || $0.isNamed("transfer-encoding") }
        guard !saysOtherwise, status >= 200, ![204, 304].contains(status) else { return .unspecified }
        return version == "HTTP/1.0" ? .close : .chunked(ChunkStyle())
    }
}

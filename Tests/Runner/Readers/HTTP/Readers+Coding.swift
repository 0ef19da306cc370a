import ProctorBase
import ProctorCoding

extension ReaderRunner {
    static let codings: [String: DataReader] = [
        // A stream of events; `limit N` bounds one of them, `last-id ID` is that of the connection before.
        "event-stream": .pieces(isFuzzed: true) { pieces, block in
            var reader = EventStreamReader(
                lastID: block.value(of: "last-id") ?? "", limit: try block.number(of: "limit") ?? 1 << 20)
            var lines: [String] = []
            do throws(EventStreamReader.TooLong) {
                for piece in pieces {
                    for event in try reader.read(piece) {
                        let name = event.name.isEmpty ? "message" : event.name
                        lines.append("\(name) \(ByteText.optional(event.data)) id \(ByteText.optional(event.lastID))")
                    }
                }
            } catch { lines.append("too long") }
            if let retry = reader.retry { lines.append("retry \(retry)") }
            return lines + ["last id \(ByteText.optional(reader.lastID))"]
        },
        // Content in a coding: `decoded gzip`; `told` tells the sentence of a failure.
        "decoded": .pieces { pieces, block in
            guard let coding = ContentCoding(name: block.words.first ?? "") else {
                throw RowError(block.line, "\"decoded\" needs a coding behind it")
            }
            var decoder = try CodingDecoder(coding)
            var content: [UInt8] = []
            do throws(CodingFailure) {
                for piece in pieces {
                    var offset = 0
                    while try decoder.decode(piece.span, at: &offset, into: &content) {}
                }
                try decoder.finish()
            } catch {
                let told = block.has("told") ? ": \(error.sentence)" : ""
                return [ByteText.optional(content), "refused \(error.kind)\(told)"]
            }
            return [ByteText.optional(content)]
        },
    ]
}

import ProctorBase
import ProctorEvents
import Testing

/// All that a reader says of an input, whatever pieces it came in.
struct SeenTrace: Equatable {
    enum Item: Equatable {
        case event(TraceEvent)
        case error(TraceReadingError)
    }

    var items: [Item] = []
    var header: TraceHeader?
    var format: TraceFormat?
    var lineCount = 0
    var isCut = false
    var skippedLineCount = 0
    var firstSkippedLine: Int?
    var misspelling: TraceReader.Misspelling?

    var events: [TraceEvent] {
        items.compactMap { item in
            if case .event(let event) = item { return event }
            return nil
        }
    }

    var errors: [TraceReadingError] {
        items.compactMap { item in
            if case .error(let error) = item { return error }
            return nil
        }
    }

    /// As one line: `response(200) data complete(ok)`.
    var symbols: String { events.map(\.symbol.description).joined(separator: " ") }
}

/// Feeds a reader; that every way of cutting gives the same is shown by Tests/Data/readers/traces.
enum TraceVerifier {
    static func seen(_ text: String) -> SeenTrace { read([Array(text.utf8)], 1 << 20) }

    static func read(_ pieces: [[UInt8]], _ lineByteLimit: Int) -> SeenTrace {
        var reader = TraceReader(file: "t.jsonl", lineByteLimit: lineByteLimit)
        var seen = SeenTrace()
        for piece in pieces {
            var offset = 0
            while true {
                do throws(TraceReadingError) {
                    guard let event = try reader.next(piece.span, at: &offset) else { break }
                    seen.items.append(.event(event))
                } catch {
                    seen.items.append(.error(error))
                }
            }
            #expect(offset == piece.count)
        }
        do throws(TraceReadingError) {
            if let event = try reader.finish() { seen.items.append(.event(event)) }
        } catch {
            seen.items.append(.error(error))
        }
        #expect(reader.eventCount == seen.events.count)
        seen.header = reader.header
        seen.format = reader.format
        seen.lineCount = reader.lineCount
        seen.isCut = reader.isCut
        seen.skippedLineCount = reader.skippedLineCount
        seen.firstSkippedLine = reader.firstSkippedLine
        seen.misspelling = reader.misspelling
        return seen
    }
}

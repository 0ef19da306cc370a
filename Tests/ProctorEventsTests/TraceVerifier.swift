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

/// Feeds a reader whole, byte by byte, cut in two at every place, between empty pieces and before others.
enum TraceVerifier {
    /// What is seen of the whole input, which every other way of feeding it must have given too.
    @discardableResult
    static func seen(
        _ text: String, lineByteLimit: Int = 1 << 20, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> SeenTrace {
        seen(Array(text.utf8), lineByteLimit: lineByteLimit, sourceLocation: sourceLocation)
    }

    @discardableResult
    static func seen(
        _ input: [UInt8], lineByteLimit: Int = 1 << 20, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> SeenTrace {
        let whole = read([input], lineByteLimit)
        func expectSame(_ pieces: [[UInt8]], _ how: String) {
            #expect(read(pieces, lineByteLimit) == whole, "\(how)", sourceLocation: sourceLocation)
        }
        expectSame(input.map { [$0] }, "byte by byte")
        for cut in 0...input.count { expectSame([Array(input[..<cut]), Array(input[cut...])], "cut at \(cut)") }
        expectSame([[], input, []], "between empty pieces")
        if input.last == 0x0A {
            for trailing in ["{\"ev\":\"data\"}\n", "\u{0}\u{1}", "\n\n"] {
                let together = read([input + Array(trailing.utf8)], lineByteLimit)
                #expect(
                    Array(together.items.prefix(whole.items.count)) == whole.items,
                    "before \(trailing.debugDescription)",
                    sourceLocation: sourceLocation)
            }
        }
        return whole
    }

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

import FuzzSupport
import ProctorEvents

/// Input: one byte of options, two bytes of cut, then a trace file.
///
/// Options: 1 a small limit of lines, 2 also byte by byte.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let options = input.byte()
    let number = input.number()
    let bytes = input.remaining
    let cut = number % (bytes.count + 1)
    let limit = options & 1 == 0 ? 1 << 20 : 48

    let whole = Reading(of: [bytes], limit)
    checkItems(whole, bytes, limit)
    let parts = Reading(of: [Array(bytes[..<cut]), Array(bytes[cut...])], limit)
    check(parts == whole, "cut at \(cut) of \(bytes.count):\n\(parts)\nwhole:\n\(whole)")
    if options & 2 != 0, bytes.count <= 1_024 {
        let single = Reading(of: bytes.map { [$0] }, limit)
        check(single == whole, "byte by byte:\n\(single)\nwhole:\n\(whole)")
    }
    checkWriting(whole)
    if limit > bytes.count { checkTrace(whole, bytes) }
    return 0
}

/// All that a reader says of an input.
struct Reading: Equatable {
    var events: [TraceEvent] = []
    var errors: [TraceReadingError] = []
    var header: TraceHeader?
    var format: TraceFormat?
    var lineCount = 0
    var isCut = false
    var skippedLineCount = 0
    var firstSkippedLine: Int?
    var misspelling: TraceReader.Misspelling?

    init(of pieces: [[UInt8]], _ limit: Int) {
        var reader = TraceReader(file: "f", lineByteLimit: limit)
        for piece in pieces {
            var offset = 0
            while true {
                do throws(TraceReadingError) {
                    let event = try reader.next(piece.span, at: &offset)
                    check(0...piece.count ~= offset, "offset \(offset) of \(piece.count)")
                    guard let event else { break }
                    events.append(event)
                } catch {
                    errors.append(error)
                }
            }
            check(offset == piece.count, "nil at \(offset) of \(piece.count)")
        }
        do throws(TraceReadingError) {
            if let event = try reader.finish() { events.append(event) }
        } catch {
            errors.append(error)
        }
        check(reader.eventCount == events.count, "\(reader.eventCount) of \(events.count) events")
        header = reader.header
        format = reader.format
        lineCount = reader.lineCount
        isCut = reader.isCut
        skippedLineCount = reader.skippedLineCount
        firstSkippedLine = reader.firstSkippedLine
        misspelling = reader.misspelling
    }
}

/// What holds of any input.
private func checkItems(_ reading: Reading, _ bytes: [UInt8], _ limit: Int) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    check(
        reading.events.count + reading.errors.count + reading.skippedLineCount <= lines.count,
        "more than \(lines.count) lines: \(reading)")
    for error in reading.errors {
        check(1...lines.count ~= error.location.line, "no such line: \(error)")
        let line = lines[error.location.line - 1]
        check(1...(line.count + 1) ~= error.location.column, "no such column: \(error)")
        check(!error.sentence.isEmpty, "\(error)")
        check(
            !error.sentence.utf8.contains { $0 < 0x20 || $0 == 0x7F },
            "control characters in \(shown(error.sentence.utf8))")
    }
    for event in reading.events {
        let kind = EventVocabulary.kinds.first { $0.event == event.name }
        check(kind?.lanes.contains(event.lane) == true, "\(event.name) in \(event.lane)")
        check(event.task >= 0 && event.sequence >= 0 && event.object ?? 0 >= 0, "\(event)")
    }
    check((reading.firstSkippedLine == nil) == (reading.skippedLineCount == 0), "\(reading)")
}

/// What was read is written so that it is read again.
private func checkWriting(_ reading: Reading) {
    var bytes = TraceWriter.line(reading.header ?? TraceHeader())
    var events = reading.events
    for index in events.indices {
        events[index].sequence = index + 1
        // Written with their times as they are, whatever the clock of the header was.
        TraceWriter.appendEvent(events[index], to: &bytes)
    }
    let again = Reading(of: [bytes], .max)
    check(again.errors.isEmpty && !again.isCut, "written, but not read: \(again.errors)\n\(shown(bytes))")
    check(again.header == reading.header ?? TraceHeader(), "\(again)")
    check(again.events.count == events.count, "\(again.events.count) of \(events.count) events")
    for (read, written) in zip(again.events, events) {
        var expected = written
        // A family once said holds for the lane, and an outcome gets its name from facts.
        expected.family = read.family
        if expected.argument == nil { expected.argument = read.argument }
        check(read == expected, "written:\n\(written)\nread:\n\(read)")
        if let family = written.family { check(read.family == family, "\(written.family as Any) \(read)") }
    }
}

/// The whole-file reader stops at the first error and agrees up to there.
private func checkTrace(_ reading: Reading, _ bytes: [UInt8]) {
    do throws(TraceReadingError) {
        let trace = try Trace(bytes, file: "f")
        check(reading.errors.isEmpty && trace.events.count == reading.events.count, "\(trace)")
        for (one, other) in zip(trace.events, reading.events) {
            var other = other
            other.family = one.family
            check(one == other, "\(one)\n\(other)")
        }
    } catch {
        check(reading.errors.first == error, "\(error), not \(reading.errors)")
    }
}

import FuzzSupport
import ProctorCoding
import ProctorHTTP

/// Input: an event stream.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe FuzzInput(start, count).remaining
    let whole = events([input])
    check(events(input.map { [$0] }) == whole, "other events byte by byte: \(shown(input))")
    let middle = input.count / 2
    check(
        events([Array(input[..<middle]), Array(input[middle...])]) == whole, "other events in halves: \(shown(input))")
    guard let whole else { return 0 }
    for event in whole.events { check(event.data.count <= limit, "\(event.data.count) bytes of data: \(shown(input))") }
    checkWritten(whole.events)
    return 0
}

private let limit = 512

private struct Stream: Equatable {
    var events: [StreamedEvent] = []
    var lastID = ""
    var retry: Int?
}

/// nil where an event is longer than the bound.
private func events(_ pieces: [[UInt8]]) -> Stream? {
    var reader = EventStreamReader(limit: limit)
    var stream = Stream()
    do throws(EventStreamReader.TooLong) {
        for piece in pieces { stream.events += try reader.read(piece) }
    } catch {
        return nil
    }
    stream.lastID = reader.lastID
    stream.retry = reader.retry
    return stream
}

/// The events, written again in the plainest way, are the same ones.
private func checkWritten(_ events: [StreamedEvent]) {
    var text: [UInt8] = []
    for event in events {
        text += Array("id: \(event.lastID)\nevent: \(event.name)\n".utf8)
        for line in EventData.lines(of: event.data) { text += Array("data: ".utf8) + line + [0x0A] }
        text.append(0x0A)
    }
    // A text that was no UTF-8 has become longer.
    var reader = EventStreamReader()
    let again = try? reader.read(text)
    check(again == events, "\(events.count) events became \(again?.count ?? 0): \(shown(text))")
}

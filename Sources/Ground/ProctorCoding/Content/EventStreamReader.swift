/// One event that an event stream dispatches (WHATWG HTML §9.2.6).
package struct StreamedEvent: Equatable, Sendable {
    /// The field `event`; empty where the stream names none, which is the type `message`.
    package let name: String
    /// The `data` lines with a line feed between them, not decoded.
    package let data: [UInt8]
    /// The last `id` of the stream so far, of this event or one before; empty where none came.
    package let lastID: String

    package init(name: String, data: [UInt8], lastID: String) {
        (self.name, self.data, self.lastID) = (name, data, lastID)
    }
}

/// Reads an event stream from bytes that come in any pieces (WHATWG HTML §9.2.5, §9.2.6).
///
/// Lines end with LF, CR or both. A byte order mark at the start, comments and fields that are not known are passed over,
/// and so is an event that its empty line does not end.
package struct EventStreamReader: Sendable {
    /// Milliseconds that the server wants between two connections, at most `Int.max`; nil where it says nothing.
    package private(set) var retry: Int?
    /// What a request that connects again has as Last-Event-ID: the `id` that stood when an empty line last ended an
    /// event, with data or without; empty: no field.
    package private(set) var lastID: String
    /// The `id` of the lines so far, which an event without an end does not make the last one.
    private var pendingID: String
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var line: [UInt8] = []
    private var lastWasCR = false
    private var isFirstLine = true
    private let limit: Int

    /// An event is longer than the bound.
    package struct TooLong: Error, CustomStringConvertible {
        let limit: Int
        package var description: String { "an event of the stream has more than \(limit) bytes" }
    }

    /// `limit` bounds the bytes of a line, and those of an event's data; `lastID` is that of the connection before.
    package init(lastID: String = "", limit: Int = 64 << 20) {
        self.lastID = lastID
        pendingID = lastID
        self.limit = limit
    }

    /// The events that the bytes complete, in order; nothing may be read behind an error.
    package mutating func read(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [StreamedEvent] {
        var events: [StreamedEvent] = []
        for byte in bytes {
            // A line feed after a carriage return belongs to the same line end.
            if byte == 0x0A, lastWasCR {
                lastWasCR = false
                continue
            }
            lastWasCR = byte == 0x0D
            guard byte == 0x0A || byte == 0x0D else {
                guard line.count < limit else { throw TooLong(limit: limit) }
                line.append(byte)
                continue
            }
            if let event = try endLine() { events.append(event) }
        }
        return events
    }

    private mutating func endLine() throws(TooLong) -> StreamedEvent? {
        defer { line.removeAll(keepingCapacity: line.capacity <= 1 << 20) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return endEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        // A line that begins with a colon is a comment, whose name is empty.
        let field = String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self)
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch field {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "id": if !value.contains(0) { pendingID = String(decoding: value, as: UTF8.self) }
        case "retry":
            if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) {
                retry = Int(String(decoding: value, as: UTF8.self)) ?? Int.max
            }
        case "data":
            if hasData { data.append(0x0A) }
            guard data.count + value.count <= limit else { throw TooLong(limit: limit) }
            data += value
            hasData = true
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> StreamedEvent? {
        defer { (name, data, hasData) = ("", [], false) }
        lastID = pendingID
        return hasData ? StreamedEvent(name: name, data: data, lastID: lastID) : nil
    }
}

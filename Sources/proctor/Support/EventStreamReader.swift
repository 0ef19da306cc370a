/// One event of Server-Sent Events.
struct StreamedEvent: Equatable {
    /// Empty where the stream names none.
    let name: String
    /// The `data` lines with a line feed between them.
    let data: [UInt8]
    /// The last `id` of the stream so far, of this event or one before; empty where none came.
    let lastID: String
}

/// Reads Server-Sent Events from bytes that come in any pieces (WHATWG HTML §9.2.6).
///
/// Lines end with LF, CR or both. A byte order mark at the start, comments and fields that are not known are passed over,
/// and so is an event that its empty line does not end.
struct EventStreamReader {
    /// Milliseconds that the server wants between two connections; nil where it says nothing.
    private(set) var retry: Int?
    private var lastID = ""
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var line: [UInt8] = []
    private var lastWasCR = false
    private var isFirstLine = true
    private let limit: Int

    /// An event is longer than the bound.
    struct TooLong: Error, CustomStringConvertible {
        let limit: Int
        var description: String { "an event of the stream has more than \(limit) bytes" }
    }

    /// `limit` bounds the bytes of a line, and those of an event's data.
    init(limit: Int = 64 << 20) {
        self.limit = limit
    }

    /// The events that the bytes complete, in order.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [StreamedEvent] {
        var events: [StreamedEvent] = []
        for byte in bytes {
            // A line feed behind a carriage return belongs to the same line end.
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
        case "id": if !value.contains(0) { lastID = String(decoding: value, as: UTF8.self) }
        case "retry":
            if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) {
                retry = Int(String(decoding: value, as: UTF8.self))
            }
        case "data":
            guard data.count + value.count < limit else { throw TooLong(limit: limit) }
            if hasData { data.append(0x0A) }
            data += value
            hasData = true
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> StreamedEvent? {
        defer { (name, data, hasData) = ("", [], false) }
        return hasData ? StreamedEvent(name: name, data: data, lastID: lastID) : nil
    }
}

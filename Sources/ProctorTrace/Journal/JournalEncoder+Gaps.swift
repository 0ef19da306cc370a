import ProctorBase

extension JournalEncoder {
    /// Appends the line that stands where entries were dropped, for want of room in memory.
    ///
    /// `entry` is the first one behind the gap; `seq` of the line is that of the last dropped one.
    ///
    ///     {"seq":12,"ns":81230,"ev":"entriesDropped","count":12}
    public func appendDropped(_ count: Int, before entry: JournalEntry, to bytes: inout [UInt8]) {
        var json = begin(sequence: max(1, entry.sequence) - 1, nanoseconds: entry.nanoseconds, appendingTo: &bytes)
        json.member("ev", Self.droppedEvent)
        json.member("count", count)
        json.close("}")
        json.lineEnd()
        bytes = json.bytes
    }

    /// Appends the line that stands in a file where lines could not be written, of whatever journal.
    ///
    ///     {"ev":"linesLost","count":3,"reason":"write: No space left on device (28)"}
    public static func appendLost(_ count: Int, reason: String, to bytes: inout [UInt8]) {
        var json = JSONText(appendingTo: take(&bytes))
        json.open("{")
        json.member("ev", lostEvent)
        json.member("count", count)
        json.member("reason", reason)
        json.close("}")
        json.lineEnd()
        bytes = json.bytes
    }

    static let droppedEvent = "entriesDropped"
    static let lostEvent = "linesLost"
}

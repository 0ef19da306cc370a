/// The value of a fact, as far as the journal and the client's reports show it.
package enum Measurement: Equatable {
    case absent
    case text([UInt8])
    case list([[UInt8]])
    case number(Double)
    /// There is no such value, because something else is in its place; half a sentence names it.
    case unknown(String)
    /// The fact was not kept or not read; the reason is half a sentence.
    case notKept(String)
    /// The client or the server, whichever could show the fact, did not report it.
    case untold

    package static let bodyNotRead = Measurement.notKept("the body was not read")

    /// The values; a number is written in decimal.
    package var values: [[UInt8]] {
        switch self {
        case .absent, .unknown, .notKept, .untold: []
        case .text(let bytes): [bytes]
        case .list(let values): values
        case .number(let value): [Array(WireText.number(value).utf8)]
        }
    }

    /// The value as a number; text is read as a number.
    package var number: Double? {
        switch self {
        case .number(let value): value
        case .text(let bytes): Double(String(decoding: bytes, as: UTF8.self))
        case .absent, .list, .unknown, .notKept, .untold: nil
        }
    }

    package var shown: String {
        switch self {
        case .absent: "nothing"
        case .text(let bytes): WireText.quoted(bytes)
        case .list(let values): "[\(values.map { WireText.quoted($0) }.joined(separator: ", "))]"
        case .number(let value): WireText.number(value)
        case .unknown(let reason), .notKept(let reason): reason
        case .untold: "no report of it"
        }
    }

    /// A text; absent for nil.
    package init(_ text: String?) { self = text.map { .text(Array($0.utf8)) } ?? .absent }

    /// A number; absent for nil.
    package init(_ count: Int?) { self = count.map { .number(Double($0)) } ?? .absent }

    package init(_ flag: Bool) { self.init(flag ? "true" : "false") }

    /// One value is a text, several are a list; absent without a value.
    package init(ofValues values: [[UInt8]]) {
        self = values.isEmpty ? .absent : values.count == 1 ? .text(values[0]) : .list(values)
    }

    package init(ofValues texts: [String]) { self.init(ofValues: texts.map { Array($0.utf8) }) }

    /// A list, also of one text; absent for nil.
    package init(ofList texts: [String]?) { self = texts.map { .list($0.map { Array($0.utf8) }) } ?? .absent }
}

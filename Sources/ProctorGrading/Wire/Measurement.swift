/// The value of a fact, as far as journal and client tell.
enum Measurement: Equatable {
    /// There is no such thing.
    case absent
    case text([UInt8])
    case list([[UInt8]])
    case number(Double)
    /// There is something else in its place, that has no such value; what it is, is half a sentence.
    case unknown(String)
    /// It was not kept or not read, so that nobody can tell; the reason is half a sentence.
    case notKept(String)
    /// It would have to be told by somebody of whom there is no report.
    case untold

    /// Values alone, whatever their form: a number is its decimal text.
    var values: [[UInt8]] {
        switch self {
        case .absent, .unknown, .notKept, .untold: []
        case .text(let bytes): [bytes]
        case .list(let values): values
        case .number(let value): [Array(WireText.number(value).utf8)]
        }
    }

    /// The number it is or spells.
    var number: Double? {
        switch self {
        case .number(let value): value
        case .text(let bytes): Double(String(decoding: bytes, as: UTF8.self))
        case .absent, .list, .unknown, .notKept, .untold: nil
        }
    }

    /// For a person.
    var shown: String {
        switch self {
        case .absent: "nothing"
        case .text(let bytes): WireText.quoted(bytes)
        case .list(let values): "[\(values.map { WireText.quoted($0) }.joined(separator: ", "))]"
        case .number(let value): WireText.number(value)
        case .unknown(let reason), .notKept(let reason): reason
        case .untold: "what nobody told"
        }
    }

    init(_ text: String) {
        self = .text(Array(text.utf8))
    }

    init(_ count: Int) {
        self = .number(Double(count))
    }

    /// Nothing where there is no value; one is a text, several are a list.
    init(ofValues values: [[UInt8]]) {
        self = values.isEmpty ? .absent : values.count == 1 ? .text(values[0]) : .list(values)
    }
}

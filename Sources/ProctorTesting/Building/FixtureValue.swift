internal import ProctorBase
internal import ProctorDocument

/// A value of JSON or of a fixture, written as Swift writes it: `["name": "lamp", "watts": [40, 60]]`.
///
/// Text of a fixture may hold late-bound parts, such as `{{base}}`.
public enum FixtureValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([FixtureValue])
    /// In this order.
    case mapping([(key: String, value: FixtureValue)])
}

extension FixtureValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `nil` is null.
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number with a fraction; JSON has only finite ones.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A list.
    public init(arrayLiteral elements: FixtureValue...) { self = .list(elements) }
    /// A mapping; a key may come twice, which JSON reads as the last one.
    public init(dictionaryLiteral elements: (String, FixtureValue)...) {
        self = .mapping(elements.map { (key: $0.0, value: $0.1) })
    }
}

extension FixtureValue {
    /// The value as a fixture's file would have it, at the place of the code that made it.
    func node(at place: SourceFile) -> Node {
        switch self {
        case .null: Node(.scalar("null", .plain), madeAt: place)
        case .boolean(let value): Node(.scalar(value ? "true" : "false", .plain), madeAt: place)
        case .integer(let value): Node(.scalar("\(value)", .plain), madeAt: place)
        case .number(let value): Node(.scalar("\(value)", .plain), madeAt: place)
        case .text(let value): Node(.scalar(value, .doubleQuoted), madeAt: place)
        case .list(let values): Node(.sequence(values.map { $0.node(at: place) }), madeAt: place)
        case .mapping(let members):
            Node(.mapping(members.map { Node.Entry($0.key, $0.value.node(at: place)) }), madeAt: place)
        }
    }
}

extension FixtureValue {
    /// The value as JSON (RFC 8259); a number that JSON can't have is null.
    var json: String {
        var text = JSONText()
        write(to: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private func write(to text: inout JSONText) {
        switch self {
        case .null: text.null()
        case .boolean(let value): text.flag(value)
        case .integer(let value): text.number(value)
        case .number(let value): if value.isFinite { text.number(finite: value) } else { text.null() }
        case .text(let value): text.string(value)
        case .list(let values): text.list(values) { $0.write(to: &$1) }
        case .mapping(let members):
            text.open("{")
            for member in members {
                text.name(member.key)
                member.value.write(to: &text)
            }
            text.close("}")
        }
    }
}

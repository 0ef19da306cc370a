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
    /// Keys and values in the order of the fixture.
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
    /// A mapping; where a key occurs twice, readers of JSON use the last value.
    public init(dictionaryLiteral elements: (String, FixtureValue)...) {
        self = .mapping(elements.map { (key: $0.0, value: $0.1) })
    }
}

extension FixtureValue {
    /// The value as a node of a fixture's file; its place is the code that made it.
    func node(at place: SourceFile) -> Node {
        switch self {
        case .null: Node(.scalar("null", .plain), madeAt: place)
        case .boolean(let value): Node(.scalar(value ? "true" : "false", .plain), madeAt: place)
        case .integer(let value): Node(.scalar("\(value)", .plain), madeAt: place)
        // JSON has no infinity and no NaN, so these are written as null.
        case .number(let value): Node(.scalar(value.isFinite ? "\(value)" : "null", .plain), madeAt: place)
        case .text(let value): Node(.scalar(value, .doubleQuoted), madeAt: place)
        case .list(let values): Node(.sequence(values.map { $0.node(at: place) }), madeAt: place)
        case .mapping(let members):
            Node(.mapping(members.map { Node.Entry($0.key, $0.value.node(at: place)) }), madeAt: place)
        }
    }
}

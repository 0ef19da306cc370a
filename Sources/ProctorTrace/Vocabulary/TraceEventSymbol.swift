/// An event as the notation sees it: its neutral name and its argument.
public struct TraceEventSymbol: Sendable, Hashable, CustomStringConvertible {
    /// One of ``EventVocabulary``, unless the client made it up.
    public let name: String
    /// What an expression compares; nil for events without argument.
    public let argument: String?

    /// Takes any name; what is no event of the lane is refused by every expression but `...`.
    public init(_ name: String, _ argument: String? = nil) {
        self.name = name
        self.argument = argument
    }

    /// As an expression would write it: `response(200)`.
    public var description: String {
        guard let argument else { return name }
        return "\(name)(\(argument))"
    }
}

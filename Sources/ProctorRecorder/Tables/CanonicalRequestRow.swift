/// One thing that the canonical form of a request must or should have.
public struct CanonicalRequestRow: Sendable {
    /// Stable, in words.
    public let id: String
    /// As given to the class.
    public let input: Input
    /// What is looked at in the result, and what is right.
    public let wanted: Wanted
    /// How much it counts.
    public let requirement: TableRequirement
    /// RFC and section, or the sample.
    public let source: String
    /// Why, for the person whose implementation differs.
    public let reason: String

    /// A request in plain values.
    public struct Input: Sendable {
        /// As it stands on the wire, upper or lower case.
        public var method = "GET"
        /// May be what no server ever sees: `HTTP://Example.COM`.
        public var url: String
        /// Name and value.
        public var fields: [(name: String, value: String)] = []
        /// UTF-8; nil: no body.
        public var body: String?
    }

    /// A part of the result with its right values.
    public enum Wanted: Sendable {
        /// The URL is one of these, byte by byte.
        case url([String])
        /// The method is exactly this.
        case method(String)
        /// The field has exactly this value, however its name is written.
        case field(String, String)
        /// The field is there, with whatever value.
        case anyField(String)
        /// The field is not there.
        case noField(String)
        /// The body is the one that was given.
        case sameBody
    }
}

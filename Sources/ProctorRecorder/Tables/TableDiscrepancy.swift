/// Whether a row of a table leaves a choice.
public enum TableRequirement: String, Sendable, CaseIterable {
    /// A specification says so, or a cache or a server would go wrong.
    case must
    /// What Apple's loader and its sample do; others may have reasons.
    case should
}

/// One place where an implementation is not as a table wants it.
public struct TableDiscrepancy: Sendable, Equatable, CustomStringConvertible {
    /// The id of the row.
    public let row: String
    /// How much it counts.
    public let requirement: TableRequirement
    /// What was looked at, as `URL` or `field "accept"`.
    public let subject: String
    /// What the row wants, for a person.
    public let wanted: String
    /// What came, for a person.
    public let got: String
    /// Where the row comes from.
    public let source: String

    /// In one line.
    public var description: String {
        "\(row): \(subject) \(requirement.rawValue) be \(wanted), got \(got) (\(source))"
    }
}

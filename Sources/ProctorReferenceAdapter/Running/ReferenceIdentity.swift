internal import ProctorTrace

/// Which client this is, for the header of a trace.
public enum ReferenceIdentity {
    /// As ledgers are named.
    public static let name = "proctor-reference"
    /// Of the rules it keeps; a broken one says which it does not: `1 breaking R12`.
    public static func version(breaking rule: BrokenRule? = nil) -> String {
        rule.map { "\(number) breaking \($0.rule)" } ?? number
    }

    private static let number = "1"
}

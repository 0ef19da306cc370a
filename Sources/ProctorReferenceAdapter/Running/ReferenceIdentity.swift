/// Which client this is, for the header of a trace.
public enum ReferenceIdentity {
    /// As ledgers are named.
    public static let name = "proctor-reference"
    /// Of what it does right; a broken one says what it does not: `1 breaking R12`.
    public static func version(breaking breakage: Breakage? = nil) -> String {
        breakage.map { "\(number) breaking \($0.label)" } ?? number
    }

    private static let number = "1"
}

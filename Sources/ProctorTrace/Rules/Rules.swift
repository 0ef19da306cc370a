/// The universal rules of callback order, R1 to R58.
public enum Rules {
    /// By number.
    public static let all: [Rule] = firstHalf + secondHalf

    /// nil for a number that no rule has.
    public static func rule(_ number: RuleNumber) -> Rule? { byNumber[number] }

    private static let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })
    static let confidences = byNumber.mapValues(\.confidence)
}

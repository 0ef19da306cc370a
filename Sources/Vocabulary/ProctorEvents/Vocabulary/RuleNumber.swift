/// The number of a universal rule: `R12`.
public struct RuleNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number without its `R`, from 1.
    public let value: Int

    /// Takes any number; `Rules.all` of ProctorRules has the existing ones.
    public init(_ value: Int) { self.value = value }

    /// Parses `R12`, in upper or lower case; nil for other texts.
    package init?(parsing text: String) {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "R") || bytes.first == UInt8(ascii: "r"), bytes.count <= 4,
            bytes.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 }), let value = Int(text.dropFirst()), value > 0
        else { return nil }
        self.value = value
    }

    /// Orders by the number.
    public static func < (left: RuleNumber, right: RuleNumber) -> Bool { left.value < right.value }

    /// The number as `R12`.
    public var description: String { "R\(value)" }
}

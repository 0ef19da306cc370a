internal import ProctorBase

extension JSONTree {
    /// nil for any value that is no whole number from 0 on.
    var unsigned: UInt64? { if case .number(let number) = self { number.unsigned } else { nil } }

    /// The members that are texts; empty for any value that is no object.
    var texts: [String: String] {
        if case .object(let members) = self { members.compactMapValues(\.string) } else { [:] }
    }
}

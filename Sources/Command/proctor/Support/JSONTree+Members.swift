internal import ProctorBase

// What a server answers, read without complaint: what is missing, or is of another kind, is nothing.
extension JSONTree {
    /// A member of an object; null where there is none.
    subscript(_ name: String) -> JSONTree {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// nil for any value that is no text.
    var string: String? { if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }

    /// nil for any value that is no whole number from 0 on.
    var unsigned: UInt64? { if case .number(let number) = self { number.unsigned } else { nil } }

    /// Empty for any value that is no list.
    var items: [JSONTree] { if case .list(let items) = self { items } else { [] } }

    /// The members that are texts; empty for any value that is no object.
    var texts: [String: String] {
        if case .object(let members) = self { members.compactMapValues(\.string) } else { [:] }
    }
}

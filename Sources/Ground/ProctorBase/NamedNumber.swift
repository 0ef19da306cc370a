/// A number of a protocol, of which a registry names some values; one without a name is unknown, and no error.
package protocol NamedNumber: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue: FixedWidthInteger {
    /// The registry's names of the values that are known here.
    static var names: [RawValue: String] { get }
    /// What stands before the digits of a number without a name, with a space behind it: `type `; empty by default.
    static var noun: String { get }

    init(rawValue: RawValue)
}

extension NamedNumber {
    package static var noun: String { "" }

    /// The names of one registry, from the rows of `CFiles/Tables/registries.tsv`.
    package static func registeredNames(_ registry: String) -> [RawValue: String] {
        Dictionary(
            uniqueKeysWithValues: TableCells.rows(of: "registries").filter { $0["registry"] == registry }
                .map { ($0.value("number") { RawValue($0, radix: 16) }, $0["name"]) })
    }

    /// All that have a name, by their numbers.
    package static var named: [Self] { names.keys.sorted().map { Self(rawValue: $0) } }

    /// The one of that name.
    package init?(named name: String) {
        guard let known = Self.names.first(where: { $0.value == name }) else { return nil }
        self.init(rawValue: known.key)
    }

    /// The name, or the number in hexadecimal: `0x2a`, or `type 0x2a`.
    package var description: String { Self.names[rawValue] ?? "\(Self.noun)0x\(String(rawValue, radix: 16))" }
}

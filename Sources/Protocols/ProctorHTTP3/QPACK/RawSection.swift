internal import ProctorHTTP

/// Writes a field section item by item, lawful or not (RFC 9204 §4.5).
///
/// It has no table: the caller knows the contents of the receiver's table.
package struct RawSection: Sendable, Equatable {
    package private(set) var bytes: [UInt8] = []

    package init(_ prefix: SectionPrefix? = SectionPrefix()) {
        guard let prefix else { return }
        PrefixedInteger.append(prefix.encodedInsertCount, prefix: 8, first: 0, to: &bytes)
        PrefixedInteger.append(prefix.deltaBase, prefix: 7, first: prefix.isNegative ? 0x80 : 0, to: &bytes)
    }

    package mutating func append(_ line: FieldRepresentation) {
        switch line {
        case .indexed(.ofStatic(let index)): integer(index, prefix: 6, first: 0xC0)
        case .indexed(.relative(let index)): integer(index, prefix: 6, first: 0x80)
        case .indexed(.postBase(let index)): integer(index, prefix: 4, first: 0x10)
        case .named(let name, let value, let isNever):
            switch name {
            case .ofStatic(let index): integer(index, prefix: 4, first: isNever ? 0x70 : 0x50)
            case .relative(let index): integer(index, prefix: 4, first: isNever ? 0x60 : 0x40)
            case .postBase(let index): integer(index, prefix: 3, first: isNever ? 0x08 : 0)
            }
            PrefixedInteger.append(string: value, prefix: 7, first: 0, to: &bytes)
        case .literal(let name, let value, let isNever):
            PrefixedInteger.append(string: name, prefix: 3, first: isNever ? 0x30 : 0x20, to: &bytes)
            PrefixedInteger.append(string: value, prefix: 7, first: 0, to: &bytes)
        }
    }

    private mutating func integer(_ value: Int, prefix bits: Int, first: UInt8) {
        PrefixedInteger.append(value, prefix: bits, first: first, to: &bytes)
    }
}

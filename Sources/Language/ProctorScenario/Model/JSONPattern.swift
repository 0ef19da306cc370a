package import ProctorBase
package import ProctorRegex

/// A pattern for a JSON value.
package indirect enum JSONPattern: Sendable, Equatable {
    case null
    case boolean(Bool)
    /// A number equal in value; `text` is its form in the fixture.
    case number(JSONDecimal, text: String)
    /// Exactly this text.
    case text([UInt8])
    /// Any value of a kind, as `any number`.
    case any(Kind)
    /// A string that the expression matches as a whole.
    case matches(RegularExpression)
    case not(JSONPattern)
    /// One of these patterns; never empty.
    case anyOf([JSONPattern])
    /// An object with exactly these members, in any order; within ``contains(_:)``, with at least these.
    case object([Member])
    /// A list with exactly these elements, in this order; within ``contains(_:)``, with at least these.
    case list([JSONPattern])
    /// A list with these elements, in any order.
    case unordered([JSONPattern])
    /// A value at any depth.
    case contains(JSONPattern)
    /// Values at JSON pointers.
    case at([Place])

    package struct Member: Sendable, Equatable {
        package let name: [UInt8]
        package let value: JSONPattern

        package init(name: [UInt8], value: JSONPattern) {
            (self.name, self.value) = (name, value)
        }
    }

    package struct Place: Sendable, Equatable {
        package let pointer: JSONPointer
        package let value: JSONPattern

        package init(pointer: JSONPointer, value: JSONPattern) {
            (self.pointer, self.value) = (pointer, value)
        }
    }

    package enum Kind: String, Sendable, CaseIterable {
        case number, string, boolean, array, object, value
    }
}

extension JSONPattern {
    /// The values that the patterns match; nil when one of them matches more than one value.
    package static func values(of patterns: [JSONPattern]) -> [JSONDocument.Kind]? {
        var values: [JSONDocument.Kind] = []
        values.reserveCapacity(patterns.count)
        for pattern in patterns {
            switch pattern {
            case .null: values.append(.null)
            case .boolean(let flag): values.append(.boolean(flag))
            case .number(let number, _): values.append(.number(number))
            case .text(let bytes): values.append(.text(bytes))
            case .any, .matches, .not, .anyOf, .object, .list, .unordered, .contains, .at: return nil
            }
        }
        return values
    }

    /// The pattern as the fixture has it, on one line.
    package var wanted: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .number(_, let text): text
        case .text(let bytes): Self.quoted(bytes)
        case .any(let kind): "any \(kind.rawValue)"
        case .matches(let expression): "{ matches: \(Self.quoted(Array(expression.pattern.utf8))) }"
        case .not(let pattern): "{ not: \(pattern.wanted) }"
        case .anyOf(let patterns): "{ any of: \(Self.list(patterns)) }"
        case .object(let members):
            members.isEmpty
                ? "{}"
                : "{ "
                    + members.map { "\(Self.quoted($0.name)): \($0.value.wanted)" }.joined(separator: ", ") + " }"
        case .list(let patterns): Self.list(patterns)
        case .unordered(let patterns): "{ unordered: \(Self.list(patterns)) }"
        case .contains(let pattern): "{ contains: \(pattern.wanted) }"
        case .at(let places):
            "{ at: { " + places.map { "\($0.pointer.text): \($0.value.wanted)" }.joined(separator: ", ") + " } }"
        }
    }

    private static func list(_ patterns: [JSONPattern]) -> String {
        "[" + patterns.map(\.wanted).joined(separator: ", ") + "]"
    }

    private static func quoted(_ bytes: [UInt8]) -> String { "\"\(EscapedText.escape(bytes, limit: 80))\"" }

    /// The JSON text that the pattern matches; nil when it matches others too.
    package var json: String? {
        switch self {
        case .null, .boolean, .number: return wanted
        case .text(let bytes):
            var json = JSONText()
            json.element(String(decoding: bytes, as: UTF8.self))
            return String(decoding: json.bytes, as: UTF8.self)
        case .list(let patterns), .unordered(let patterns):
            let parts = patterns.compactMap(\.json)
            return parts.count == patterns.count ? "[" + parts.joined(separator: ",") + "]" : nil
        case .object(let members):
            let parts = members.compactMap { member in
                member.value.json.flatMap { value in JSONPattern.text(member.name).json.map { "\($0):\(value)" } }
            }
            return parts.count == members.count ? "{" + parts.joined(separator: ",") + "}" : nil
        case .any, .matches, .not, .anyOf, .contains, .at: return nil
        }
    }
}

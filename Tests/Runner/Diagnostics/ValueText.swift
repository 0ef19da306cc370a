import Foundation
import ProctorBase
import ProctorDocument
import ProctorScenario

/// A value of the product as a line: its stored properties, those that are nil, empty or false left out.
///
/// Text and bytes stand in quotes, a value of an enum is its name with what it holds behind, and a struct of one property is
/// that property. Places of sources are left out within others.
enum ValueText {
    /// The text of what a path leads to: names of properties, of cases of an enum and keys, indexes, and `*` for each element.
    static func text(_ value: Any, at path: [String], line: Int) throws -> String {
        guard let word = path.first else { return text(value) }
        let rest = Array(path.dropFirst())
        let value = unwrapped(value)
        let mirror = Mirror(reflecting: value)
        if word == "*" {
            return "["
                + (try elements(value).map { try text($0, at: rest, line: line) }.joined(separator: ", ")) + "]"
        }
        if word == "count" { return "\(elements(value).count)" }
        if mirror.displayStyle == .dictionary {
            for case let (key, item) as (AnyHashable, Any) in mirror.children.map(\.value)
            where text(key.base) == word || text(key.base) == "\"\(word)\"" {
                return try text(item, at: rest, line: line)
            }
            return "nil"
        }
        if let index = Int(word), mirror.displayStyle == .collection || mirror.displayStyle == .tuple {
            let all = mirror.children.map(\.value)
            guard all.indices.contains(index) else { return "nil" }
            return try text(all[index], at: rest, line: line)
        }
        if mirror.displayStyle == .optional { return "nil" }
        if let child = mirror.children.first(where: { $0.label == word || $0.label == ".\(word)" }) {
            return try text(child.value, at: rest, line: line)
        }
        if let child = mirror.children.first, mirror.displayStyle == .enum { return "no \(word) but \(child.label ?? "")" }
        let known = mirror.children.compactMap(\.label).joined(separator: ", ")
        throw RowError(line, "a value of \(type(of: value)) has no \"\(word)\"; it has: \(known)")
    }

    static func text(_ value: Any) -> String {
        let value = unwrapped(value)
        switch value {
        case let bytes as [UInt8]: return "\"\(ByteText.inLine(bytes))\""
        case let text as String: return "\"\(ByteText.inLine(text.utf8))\""
        case let place as SourceLocation: return "\(place.line):\(place.column)"
        case let diagnostic as Diagnostic: return Self.line(diagnostic)
        case let obstacle as HTTP2Obstacle: return "\(text(obstacle.location)) \(obstacle.sentence)"
        case let shown as any CustomStringConvertible & Sendable where isPlain(value): return shown.description
        default: return parts(value)
        }
    }

    private static func isPlain(_ value: Any) -> Bool {
        switch Mirror(reflecting: value).displayStyle {
        case .collection, .dictionary, .set, .tuple, .optional: false
        default: true
        }
    }

    private static func line(_ diagnostic: Diagnostic) -> String {
        let place = diagnostic.location.line == 0 ? "" : "\(text(diagnostic.location)) "
        return place + diagnostic.sentence + (diagnostic.hint.map { "; \($0)" } ?? "")
    }

    private static func parts(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return "nil"
        case .collection: return "[" + mirror.children.map { text($0.value) }.joined(separator: ", ") + "]"
        case .set: return "[" + mirror.children.map { text($0.value) }.sorted().joined(separator: ", ") + "]"
        case .dictionary:
            let pairs = mirror.children.compactMap { child -> String? in
                guard let (key, item) = child.value as? (AnyHashable, Any) else { return nil }
                return "\(text(key.base)): \(text(item))"
            }
            return "[" + (pairs.isEmpty ? ":" : pairs.sorted().joined(separator: ", ")) + "]"
        case .enum:
            guard let child = mirror.children.first, let name = child.label else { return "\(value)" }
            return name + inParentheses(text(child.value))
        default:
            let shown = mirror.children.filter { !isEmpty($0.value) && !($0.value is SourceLocation) }
            if mirror.displayStyle != .tuple, mirror.children.count == 1, let only = mirror.children.first {
                return text(only.value)
            }
            let texts = shown.map { child in
                let label = child.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
                return label + text(child.value)
            }
            return "(" + texts.joined(separator: ", ") + ")"
        }
    }

    private static func inParentheses(_ text: String) -> String { text.hasPrefix("(") ? text : "(\(text))" }

    private static func isEmpty(_ value: Any) -> Bool {
        if let flag = value as? Bool { return !flag }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional, .collection, .set, .dictionary: return mirror.children.isEmpty
        default: return false
        }
    }

    private static func elements(_ value: Any) -> [Any] { Mirror(reflecting: value).children.map(\.value) }

    private static func unwrapped(_ value: Any) -> Any {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional, let child = mirror.children.first else { return value }
        return unwrapped(child.value)
    }
}

import Foundation
import ProctorBase
import ProctorDocument
import ProctorNotation
import ProctorRegex
import ProctorScenario

/// A value of the product as a line: its stored properties, those that are nil, empty or false left out.
///
/// Text and bytes stand in quotes, a value of an enum is its name with what it holds behind, and a struct of one property is
/// that property. Places of sources are left out within others.
enum ValueText {
    /// The text of what a path leads to: names of properties, of cases of an enum and keys, indexes, `count`, and `*` for each
    /// element.
    static func text(_ value: Any, at path: [String], line: Int) throws -> String {
        guard let star = path.firstIndex(of: "*") else { return text(try self.value(value, at: path, line: line)) }
        let list = try self.value(value, at: Array(path[..<star]), line: line)
        let rest = Array(path[(star + 1)...])
        return "[" + (try elements(list).map { try text($0, at: rest, line: line) }.joined(separator: ", ")) + "]"
    }

    /// What a path without `*` leads to; text that says so where there is nothing.
    static func value(_ value: Any, at path: [String], line: Int) throws -> Any {
        guard let word = path.first else { return value }
        let value = unwrapped(value)
        let mirror = Mirror(reflecting: value)
        let rest = Array(path.dropFirst())
        func next(_ found: Any) throws -> Any { try self.value(found, at: rest, line: line) }
        switch mirror.displayStyle {
        case .optional: return Nothing()
        case .collection, .tuple, .set, .dictionary:
            if word == "count" { return mirror.children.count }
            let all = mirror.children.map(\.value)
            if let index = Int(word), mirror.displayStyle != .dictionary {
                return all.indices.contains(index) ? try next(all[index]) : Nothing()
            }
            for case let (key, item) as (AnyHashable, Any) in all where text(key.base) == "\"\(word)\"" {
                return try next(item)
            }
            if mirror.displayStyle == .dictionary { return Nothing() }
        default: break
        }
        if let child = mirror.children.first(where: { $0.label == word || $0.label == ".\(word)" }) {
            return try next(child.value)
        }
        if let made = try ComputedFacts.value(of: value, word) { return try next(made) }
        if mirror.displayStyle == .enum { return Nothing() }
        let known = mirror.children.compactMap(\.label).joined(separator: ", ")
        throw RowError(line, "a value of \(type(of: value)) has no \"\(word)\"; it has: \(known)")
    }

    private struct Nothing: CustomStringConvertible, Sendable { let description = "nil" }

    /// What a pattern says of a text.
    static func match(_ bytes: [UInt8], _ pattern: Any, line: Int) throws -> String {
        switch unwrapped(pattern) {
        case let pattern as BytePattern:
            let captures = pattern.match(bytes.span)
            guard pattern.matches(bytes.span) == (captures != nil) else { return "match and matches differ" }
            guard let captures else { return "no" }
            return (["yes"] + captures.names.sorted().map { "\($0) \(text(captures[$0] as Any))" }).joined(
                separator: ", ")
        case let pattern as JSONPattern:
            var matcher = JSONMatcher(try JSONDocument(parsing: bytes))
            let verdict = matcher.verdict(pattern)
            let difference = matcher.difference(pattern)
            guard (verdict == .holds) == (difference == nil) else { return "verdict and difference differ" }
            if let json = pattern.json {
                var made = JSONMatcher(try JSONDocument(parsing: Array(json.utf8)))
                guard made.verdict(pattern) == .holds else { return "the value that it makes does not match: \(json)" }
            }
            return difference.map { "\(verdict): \($0.sentence)" } ?? "\(verdict)"
        default: throw RowError(line, "a value of \(type(of: pattern)) is no pattern")
        }
    }

    static func text(_ value: Any) -> String {
        let value = unwrapped(value)
        switch value {
        case let bytes as [UInt8] where type(of: value) == [UInt8].self: return quoted(bytes)
        case let text as String: return quoted(Array(text.utf8))
        case let place as SourceLocation: return "\(place.line):\(place.column)"
        case let diagnostic as Diagnostic: return Self.line(diagnostic)
        case let obstacle as HTTP2Obstacle: return "\(text(obstacle.location)) \(obstacle.sentence)"
        case let template as Template: return template.literalBytes.map(text) ?? parts(template.parts)
        case let notation as Notation: return text(notation.text)
        // Where it lies is the same in no two runs.
        case let file as SidecarFile: return "(path: \(text(file.path)), byteCount: \(file.byteCount))"
        case let expression as RegularExpression: return "/\(expression.pattern)/"
        case let shown as any CustomStringConvertible & Sendable where isPlain(value): return shown.description
        default: return parts(value)
        }
    }

    /// In quotes; a `…` stands for itself here.
    private static func quoted(_ bytes: [UInt8]) -> String {
        "\"" + ByteText.inLine(bytes).replacing("\\xE2\\x80\\xA6", with: "…") + "\""
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
        if type(of: value) == Bool.self, let flag = value as? Bool { return !flag }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional, .collection, .set, .dictionary: return mirror.children.isEmpty
        default: return false
        }
    }

    private static func elements(_ value: Any) -> [Any] { Mirror(reflecting: unwrapped(value)).children.map(\.value) }

    private static func unwrapped(_ value: Any) -> Any {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional, let child = mirror.children.first else { return value }
        return unwrapped(child.value)
    }
}

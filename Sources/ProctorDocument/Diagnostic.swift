public import ProctorBase

/// One thing that is wrong with a file, for the person who wrote it.
public struct Diagnostic: Sendable, Equatable, Error, CustomStringConvertible {
    /// Line 0 stands for the file as a whole.
    public let location: SourceLocation
    /// What is wrong and what was expected; lower case, without a full stop.
    public let sentence: String
    /// What to do about it, if that can be said.
    public let hint: String?
    /// Whether the file can be used all the same.
    public let level: Level

    /// How bad it is.
    public enum Level: String, Sendable {
        /// The file can't be used.
        case error
        /// The file can be used, and does something that is rarely meant.
        case warning
    }

    /// A message about a place in a file; what it quotes of the file can't control a terminal.
    public init(location: SourceLocation, sentence: String, hint: String? = nil, level: Level = .error) {
        self.level = level
        self.location = location
        self.sentence = sentence.escapingControls
        self.hint = hint?.escapingControls
    }

    /// Something wrong with a file or folder that has no lines to point at.
    public init(path: String, sentence: String, hint: String? = nil) {
        self.init(location: SourceLocation(file: path, line: 0, column: 0), sentence: sentence, hint: hint)
    }

    /// As compilers print it: `file:line:column: error: sentence; hint`, or `warning`.
    public var description: String {
        let place = location.line == 0 ? location.file : location.description
        return "\(place): \(level.rawValue): \(sentence)\(hint.map { "; \($0)" } ?? "")"
    }
}

extension String {
    /// C0, DEL and C1 as `\xHH`; the rest as it is.
    fileprivate var escapingControls: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.map { $0.isControl ? $0.escape : String($0) }.joined()
    }
}

extension Unicode.Scalar {
    /// What a terminal may obey rather than show.
    var isControl: Bool { value < 0x20 || 0x7F..<0xA0 ~= value }

    /// `\xHH`.
    var escape: String { "\\x" + String(value + 0x100, radix: 16).dropFirst() }
}

extension Diagnostic: Comparable {
    /// By file, then by place in it.
    public static func < (left: Diagnostic, right: Diagnostic) -> Bool {
        if left.location.file != right.location.file { return left.location.file < right.location.file }
        return (left.location.line, left.location.column) < (right.location.line, right.location.column)
    }
}

/// A position in a file; prints as `file:line:column`.
public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
    /// The path as the user named it.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column in bytes of UTF-8, from 1.
    public let column: Int

    package init(file: String, line: Int, column: Int) {
        (self.file, self.line, self.column) = (file, line, column)
    }

    /// `file:line:column`, as compilers print it and editors jump to it.
    public var description: String { "\(file):\(line):\(column)" }
}

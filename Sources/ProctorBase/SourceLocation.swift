/// A place in a file that a person wrote; prints as `file:line:column`.
public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
    /// The path as the user named it.
    public let file: String
    /// 1-based.
    public let line: Int
    /// 1-based, in bytes of UTF-8.
    public let column: Int

    /// Line and column count from 1.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`, as compilers print it and editors jump to it.
    public var description: String { "\(file):\(line):\(column)" }
}

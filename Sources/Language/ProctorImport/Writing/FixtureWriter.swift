/// Any fixture as text, in the form in which imports are written.
package enum FixtureWriter {
    /// `head` is the first line, which names the schema; comments stand behind it.
    package static func write(_ members: [YAMLTree.Member], head: String, comments: [String]) -> String {
        var writer = YAMLWriter()
        writer.writeComment(comments.joined(separator: "\n"))
        writer.write(members)
        return "\(head)\n\(writer.text)"
    }
}

/// How tags of YAML are named in a file and in messages.
package enum DocumentTags {
    private static let standard = "tag:yaml.org,2002:"

    /// Without the beginning that tags of YAML have: `str`, `python/unicode`.
    package static func name(_ tag: String) -> String {
        tag.hasPrefix(standard) ? String(tag.dropFirst(standard.count)) : tag
    }

    /// As it is written in a file.
    package static func shown(_ tag: String) -> String { tag.hasPrefix(standard) ? "!!\(name(tag))" : tag }
}

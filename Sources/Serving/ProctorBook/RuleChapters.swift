internal import ProctorEvents
internal import ProctorMarkdown
internal import ProctorRules

/// The pages about the rules of callback order, which have a heading for each rule.
enum RuleChapters {
    /// The first rule of each page.
    private static let firsts = [1, 21, 46]

    /// The chapter of each rule.
    static let chapters: [RuleNumber: String] = Rules.all.reduce(into: [:]) { chapters, rule in
        let first = firsts.last { $0 <= rule.number.value } ?? 1
        chapters[rule.number] = "\(path(first))#\(Markdown.anchor(of: "\(rule.number) \(rule.title)"))"
    }

    static func isPage(_ path: String) -> Bool { firsts.contains { Self.path($0) == path } }

    private static func path(_ first: Int) -> String { "judging/rules-r\(first)" }
}

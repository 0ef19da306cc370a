/// What a link of a page leads to.
package enum BookLink: Sendable, Equatable {
    /// A page of the book by its path; `anchor` is nil for its top.
    case page(String, anchor: String?)
    /// The id of a scenario that comes with the program.
    case scenario(String)
    /// A file of the sources, by its path from their top.
    case source(String)
    /// Another site.
    case web(String)

    /// `target` as the page with the path `origin` has it.
    init(_ target: String, from origin: String, in book: Book) {
        if target.hasPrefix("https://") || target.hasPrefix("http://") || target.hasPrefix("mailto:") {
            self = .web(target)
            return
        }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let anchor = parts.count > 1 ? String(parts[1]) : nil
        guard let file = parts.first, !file.isEmpty else {
            self = .page(origin, anchor: anchor)
            return
        }
        var segments = [Substring(BookFolder.name)] + origin.split(separator: "/").dropLast()
        for segment in file.split(separator: "/") {
            switch segment {
            case ".": continue
            case "..": _ = segments.popLast()
            default: segments.append(segment)
            }
        }
        let path = segments.joined(separator: "/")
        if segments.first == Substring(BookFolder.name), path.hasSuffix(".md") {
            let page = String(segments.dropFirst().joined(separator: "/").dropLast(3))
            let wanted = page == Book.contents.dropLast(3) ? "" : page
            if book.position(of: wanted) != nil {
                self = .page(wanted, anchor: anchor)
                return
            }
        }
        if segments.count > 2, segments[0] == "fixtures", path.hasSuffix(".yaml") {
            self = .scenario(String(path.dropFirst(9).dropLast(5)))
        } else {
            self = .source(path)
        }
    }
}

/// The addresses that pages of the book have in one place: on a server, or in a folder.
package struct BookAddresses: Sendable {
    /// Returns the address of a page for its path.
    package let page: @Sendable (String) -> String
    /// Returns the address of the page of a scenario; nil where scenarios have none.
    package let scenario: @Sendable (String) -> String?

    package init(page: @escaping @Sendable (String) -> String, scenario: @escaping @Sendable (String) -> String?) {
        (self.page, self.scenario) = (page, scenario)
    }

    /// The address of a chapter: a page, and behind `#` a heading of it.
    package func chapter(_ chapter: String) -> String {
        let parts = chapter.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        return page(String(parts[0])) + (parts.count > 1 ? "#\(parts[1])" : "")
    }
}

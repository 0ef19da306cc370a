/// A list on a page of text: a line each, indented, and a last one that counts what is left out.
enum PageList {
    static func lines(of items: [String], limit: Int) -> [String] {
        let lines = items.prefix(limit).map { "  \($0)" }
        return items.count > limit ? lines + ["  and \(items.count - limit) more"] : lines
    }
}

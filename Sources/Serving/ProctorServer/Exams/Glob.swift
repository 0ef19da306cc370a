/// A pattern of the command line: `*` matches any text, `?` any one character, and every other character itself.
struct Glob {
    private let pattern: [Character]

    init(_ text: some StringProtocol) { pattern = Array(text) }

    /// Takes time proportional to at most the product of both lengths.
    func matches(_ text: String) -> Bool {
        let text = Array(text)
        var (place, at) = (0, 0)
        // The position of the last star, and how many characters of the text it matches.
        var star: (place: Int, at: Int)?
        while at < text.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[at] {
                place += 1
                at += 1
            } else if let last = star {
                star = (last.place, last.at + 1)
                (place, at) = (last.place + 1, last.at + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}

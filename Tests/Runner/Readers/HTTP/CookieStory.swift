import ProctorBase
import ProctorHTTP

/// What a client of cookies goes through: a line for each step, or ` | ` between steps in one line.
struct CookieStory {
    enum Step {
        /// A response of that URL, and its Set-Cookie fields.
        case sets(CookieURL, [[UInt8]])
        /// A request to that URL, and its Cookie fields.
        case sends(String, CookieURL, [[UInt8]])
        case wait(Int)
        case endSession
        /// Responses that the client of the next request perhaps had not read.
        case undecided(Set<Int>)
        /// Responses beside the next one.
        case beside(Set<Int>)
        /// The names of all cookies are told.
        case names
        /// All cookies are told with their domain, path, the second of their creation, and their end.
        case kept
    }

    /// 1 January 2026.
    static let start = 1_767_225_600

    let steps: [Step]

    init(_ input: [UInt8], _ block: Block) throws {
        let base = block.value(of: "at") ?? ""
        var steps: [Step] = []
        for line in input.split(separator: [0x0D, 0x0A]).flatMap({ Parts.of(Array($0)) }) {
            let text = Parts.text(line)
            let words = text.split(separator: " ").map(String.init)
            if line.starts(with: "+ ".utf8) || line == [UInt8(ascii: "+")], let last = steps.popLast() {
                let field = Array(line.dropFirst(2))
                switch last {
                case .sets(let url, let fields): steps.append(.sets(url, fields + [field]))
                case .sends(let name, let url, let fields): steps.append(.sends(name, url, fields + [field]))
                default: throw RowError(block.line, "a line + FIELD stands behind a response or a request")
                }
            } else if let (url, field) = Self.halves(line, at: "<") {
                steps.append(.sets(try CookieURL(url.hasPrefix("/") ? base + url : url, block), [field ?? []]))
            } else if let (url, field) = Self.halves(line, at: ">") {
                steps.append(
                    .sends(url, try CookieURL(url.hasPrefix("/") ? base + url : url, block), field.map { [$0] } ?? []))
            } else if text == "end session" {
                steps.append(.endSession)
            } else if text == "names" {
                steps.append(.names)
            } else if text == "kept" {
                steps.append(.kept)
            } else if words.count == 2, words[0] == "wait", let seconds = Int(words[1]) {
                steps.append(.wait(seconds))
            } else if words.count == 2, words[0] == "undecided" {
                steps.append(.undecided(Set(words[1].split(separator: ",").compactMap { Int($0) })))
            } else if words.count == 2, words[0] == "beside" {
                steps.append(.beside(Set(words[1].split(separator: ",").compactMap { Int($0) })))
            } else {
                throw RowError(
                    block.line,
                    "unknown step \"\(text)\"; steps are URL < FIELD, URL >, URL > FIELD, + FIELD, wait N, end session, "
                        + "undecided N, beside N, names, kept")
            }
        }
        self.steps = steps
    }

    /// A URL, and what stands behind the sign; nil without the sign behind a URL.
    private static func halves(_ line: [UInt8], at sign: Character) -> (String, [UInt8]?)? {
        let url = line.prefix { $0 != 0x20 }
        let rest = line.dropFirst(url.count)
        guard rest.starts(with: " \(sign)".utf8), url.contains(UInt8(ascii: "/")) else { return nil }
        return (Parts.text(url), rest.count > 2 ? Array(rest.dropFirst(3)) : nil)
    }
}

extension CookieURL {
    /// `https://host/path`, what follows `?` left out.
    init(_ url: String, _ block: Block) throws {
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
            throw RowError(
                block.line, "expected a URL such as http://host/path, found \"\(url)\"; \"at URL\" says its beginning")
        }
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        let path = rest.drop { $0 != "/" }.prefix { $0 != "?" }
        self.init(
            isSecure: url.hasPrefix("https://"), host: String(rest.prefix { $0 != "/" }), path: Array(path.utf8))
    }
}

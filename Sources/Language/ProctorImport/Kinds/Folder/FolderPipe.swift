import ProctorBase
import ProctorHTTP

/// One function of `?pipe=` of wptserve.
enum FolderPipe: Equatable {
    case status(Int)
    /// `isAdded`: other lines of the name stay.
    case header(name: String, value: String, isAdded: Bool)
    /// Offsets as Python has them; nil: the beginning, the end.
    case slice(Int?, Int?)
    case trickle([Trickle])
    case gzip
    /// Whether values are written with the escapes of HTML; nil: by the ending of the file.
    case sub(isEscaped: Bool?)

    enum Trickle: Equatable {
        case bytes(Int)
        /// Milliseconds, up to the longest wait of a fixture.
        case delay(Int)
        /// The steps before it, so many, are repeated until all is sent.
        case again(Int)
    }

    /// Why a pipe can't be said; half a sentence.
    struct Fault: Error {
        let sentence: String

        init(_ sentence: String) { self.sentence = sentence }
    }

    private static let mostPipes = 16

    /// `header(X,1)|status(404)`; a backslash takes the meaning from the character behind it.
    static func parse(_ text: String) throws(Fault) -> [FolderPipe] {
        var pipes: [FolderPipe] = []
        var name = ""
        var words: [String]?
        var isEscaped = false
        func addPipe() throws(Fault) {
            guard !name.isEmpty || words != nil else { return }
            guard pipes.count < mostPipes else {
                throw Fault("it has more than \(mostPipes) pipes, which is the limit")
            }
            pipes.append(try FolderPipe(name, words ?? []))
            (name, words) = ("", nil)
        }
        for character in text.unicodeScalars {
            guard var open = words else {
                switch character {
                case "(": words = [""]
                case "|": try addPipe()
                default: name.unicodeScalars.append(character)
                }
                continue
            }
            let last = open.count - 1
            if isEscaped {
                let meanings: [Unicode.Scalar: Unicode.Scalar] = ["n": "\n", "r": "\r", "t": "\t"]
                open[last].unicodeScalars.append(meanings[character] ?? character)
                isEscaped = false
                words = open
                continue
            }
            switch character {
            case "\\": isEscaped = true
            case ",": words = open + [""]
            case ")": try addPipe()
            default:
                open[last].unicodeScalars.append(character)
                words = open
            }
        }
        guard words == nil else { throw Fault("its last ( has no ), as where a script puts the URL together") }
        try addPipe()
        guard !pipes.isEmpty else { throw Fault("it names no pipe") }
        return pipes
    }

    private init(_ name: String, _ words: [String]) throws(Fault) {
        let words = words == [""] ? [] : words
        let known = ["status": 1...1, "header": 2...3, "slice": 1...2, "trickle": 1...1, "gzip": 0...0, "sub": 0...1]
        guard let counts = known[name] else {
            let names = known.keys.sorted().joined(separator: ", ")
            throw Fault("the pipe '\(name)' is not known; \(names) are")
        }
        guard counts.contains(words.count) else {
            let bounds = counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) or \(counts.upperBound)"
            throw Fault("expected \(bounds) arguments of \(name), found \(words.count)")
        }
        switch name {
        case "status":
            guard let status = Int(words[0]), 200...999 ~= status else {
                throw Fault("expected a status from 200 to 999, found '\(words[0])'")
            }
            self = .status(status)
        case "header":
            guard HTTPField(words[0], words[1]).isSendable else { throw Fault("the field '\(words[0])' can't be sent") }
            // Blanks around a value belong to no value (RFC 9110 §5.5).
            let value = words[1].utf8.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
            self = .header(
                name: words[0], value: String(decoding: value, as: UTF8.self),
                isAdded: words.count == 3 && ["true", "1"].contains(words[2].lowercased()))
        case "slice": self = .slice(try Self.offset(words[0]), try words.count == 2 ? Self.offset(words[1]) : nil)
        case "trickle": self = .trickle(try Self.steps(words[0]))
        case "gzip": self = .gzip
        default: self = .sub(isEscaped: words.first.map { $0 != "none" })
        }
    }

    private static func offset(_ word: String) throws(Fault) -> Int? {
        if word.lowercased() == "null" { return nil }
        guard let offset = Int(word), offset.magnitude < 1 << 40 else {
            throw Fault("expected an offset or null in slice, found '\(word)'")
        }
        return offset
    }

    private static let longestWait = 600_000

    private static func steps(_ text: String) throws(Fault) -> [Trickle] {
        let words = text.split(separator: ":", omittingEmptySubsequences: false)
        guard words.count <= 1_000 else { throw Fault("trickle has \(words.count) steps; at most 1000 are taken") }
        var steps: [Trickle] = []
        for (number, word) in words.enumerated() {
            let rest = String(word.dropFirst())
            if word.hasPrefix("d"), let seconds = Double(rest), seconds >= 0, seconds * 1_000 <= Double(longestWait) {
                steps.append(.delay(Int((seconds * 1_000).rounded())))
            } else if word.hasPrefix("r"), let count = Int(rest), count > 0, count < 1 << 20, number == words.count - 1
            {
                steps.append(.again(count))
            } else if let count = Int(word), 0..<(1 << 40) ~= count {
                steps.append(.bytes(count))
            } else {
                throw Fault(
                    "expected bytes like 100, a delay like d0.5 up to 600 s, or r2 at the end of trickle, found '\(word)'"
                )
            }
        }
        return steps
    }
}

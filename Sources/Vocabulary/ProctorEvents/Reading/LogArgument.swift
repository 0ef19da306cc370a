import ProctorBase

/// The text of a log line behind the name of a method.
struct LogArgument {
    private let log: LogLine
    private let start: Int
    private let text: String

    init(_ log: LogLine, behind start: Int) {
        (self.log, self.start) = (log, start)
        text = log.text(start..<log.bytes.count)
    }

    /// Adds the argument and the facts that calls of the method have.
    func addFacts(of method: MethodName, to line: inout EventLine) {
        guard !text.isEmpty else { return }
        switch method.meaning {
        case .success: return
        case .failure:
            tellError(to: &line)
            return
        case .rewrite, .redirection:
            tellStatus(3...3, to: &line)
            return
        case .becoming:
            tellAll(to: &line)
            return
        case .receiving, .receivingNoData:
            tellAll(to: &line)
            if let status = status(1...9) { line.facts.append(EventFact(.status, .integer(status))) }
            return
        case .answering:
            if saysNil { line.argument = .null }
            return
        case .plain, .scope: break
        }
        switch method.event {
        case .response: tellStatus(1...9, to: &line)
        case .informational: tellStatus(1...1, to: &line)
        case .complete, .sessionInvalid, .handler, .awaited: tellError(to: &line)
        case .challenge, .challengeCancelled, .askCanAuth: tellKind(to: &line)
        case .data: tellNumbers([.bytes], to: &line)
        case .bodySent, .progress: tellNumbers([.n, .total, .expected], to: &line)
        case .downloadResumed: tellOffset(to: &line)
        case .pCanInit, .pCacheEquivalent: tellAnswer(to: &line)
        case .delayed, .needBodyStream, .shouldDecode, .destination, .wsOpen, .wsClose: tellWord(to: &line)
        default: break
        }
    }

    // MARK: Kinds of arguments

    private func tellStatus(_ firstDigit: ClosedRange<Int>, to line: inout EventLine) {
        if let status = status(firstDigit) {
            line.argument = .text(String(status))
        } else if saysNil {
            line.argument = .null
        }
    }

    /// The number behind `status` where that word stands, else the first of three digits.
    private func status(_ firstDigit: ClosedRange<Int>) -> Int? {
        var numbers = self.numbers
        if let word = place(of: "status") { numbers.removeAll { $0.start < word } }
        return numbers.first { 100...999 ~= $0.value && firstDigit ~= $0.value / 100 }?.value
    }

    /// `Error Domain=NSURLErrorDomain Code=-999 "cancelled"`, the name of an error, its number, or a statement that
    /// there is none.
    private func tellError(to line: inout EventLine) {
        if let place = text.range(ofASCII: "Domain="), let error = error(in: text[place.upperBound...]) {
            line.argument = .text(error)
            return
        }
        let words = words
        if let name = words.first(where: { $0 == "ok" || URLErrorName.code(named: $0) != nil }) {
            line.argument = .text(name)
        } else if saysNil {
            line.argument = .null
        } else if let code = numbers.first(where: { $0.value < 0 }) {
            line.argument = .text(String(code.value))
        }
    }

    private func error(in text: Substring) -> String? {
        let domain = text.prefix { !$0.isWhitespace && $0 != "\"" && $0 != "," }
        guard !domain.isEmpty, let mark = text.range(ofASCII: "Code=") else { return nil }
        guard let code = Int(text[mark.upperBound...].prefix { $0 == "-" || ("0"..."9").contains($0) }) else {
            return nil
        }
        return URLErrorName.name(domain: String(domain), code: code)
    }

    private func tellKind(to line: inout EventLine) {
        let kind = words.first { $0.hasPrefix("NSURLAuthenticationMethod") || ChallengeKind.names.contains($0) }
        if let kind { line.argument = .text(ChallengeKind.name(authenticationMethod: kind)) }
    }

    private func tellNumbers(_ keys: [FactKey], to line: inout EventLine) {
        let numbers = numbers
        // Two numbers of three cannot be assigned.
        guard numbers.count >= keys.count || numbers.count == 1 else { return }
        for (key, number) in zip(keys, numbers) { line.facts.append(EventFact(key, .integer(number.value))) }
    }

    private func tellOffset(to line: inout EventLine) {
        guard let offset = numbers.first?.value else { return }
        line.argument = .text(String(offset))
        tellNumbers([.offset, .expected], to: &line)
    }

    private func tellAnswer(to line: inout EventLine) {
        for word in words {
            if ["YES", "true"].contains(word) { line.facts.append(EventFact(.accepts, .flag(true))) }
            if ["NO", "false"].contains(word) { line.facts.append(EventFact(.accepts, .flag(false))) }
            if line.has(.accepts) { return }
        }
    }

    private func tellWord(to line: inout EventLine) {
        let quoted = text.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        if quoted.count == 3 {
            line.argument = .text(String(quoted[1]))
        } else if let word = text.split(whereSeparator: { " \t])>,;".contains($0) }).first(where: { !isAssignment($0) })
        {
            let word = word.drop { ":=([<-".contains($0) }
            if !word.isEmpty { line.argument = .text(String(word)) }
        }
    }

    private func tellAll(to line: inout EventLine) {
        let all = text.drop { " \t])>,;:=([<-".contains($0) }
        if !all.isEmpty { line.argument = .text(String(all)) }
    }

    // MARK: Looking

    private func isAssignment(_ word: Substring) -> Bool { word.hasPrefix("task=") || word.hasPrefix("object=") }

    /// The disposition for a completion handler where the log names it: the last part of
    /// `URLSession.AuthChallengeDisposition.…`.
    ///
    /// Swift's names are common words, so that they count only behind a dot, and beside `completionHandler` or
    /// `disposition`.
    var disposition: String? {
        for word in words {
            let name = word.split(separator: ".").last.map(String.init) ?? word
            guard let known = MethodName.dispositions.first(where: { $0.word == name }) else { continue }
            let isTold =
                word.contains(".") || name.hasPrefix("NSURLSession") || place(of: "completionhandler") != nil
                || place(of: "disposition") != nil
            guard isTold else { continue }
            return known.answer == "use" && saysNil ? "use-none" : known.answer
        }
        return nil
    }

    /// Runs of letters, digits, `#`, `.`, `/` and signs.
    private var words: [String] {
        text.split { !($0.isLetter || $0.isNumber || "#./_-+".contains($0)) }.map(String.init)
    }

    var saysNil: Bool { words.contains { $0 == "nil" || $0 == "null" } }

    private func place(of word: String) -> Int? {
        let bytes = log.bytes[start...]
        let wanted = Array(word.utf8)
        return bytes.indices.first { index in
            index + wanted.count <= bytes.endIndex
                && bytes[index..<(index + wanted.count)].elementsEqual(wanted) { $0.asciiLowercased == $1 }
        }
    }

    /// Whole numbers that stand alone, and not within an address, a version, a time or a word.
    private var numbers: [(start: Int, value: Int)] {
        var numbers: [(start: Int, value: Int)] = []
        var index = start
        while index < log.bytes.count {
            guard log.bytes[index].isASCIIDigit else {
                index += 1
                continue
            }
            var end = index
            while log.byte(at: end).isASCIIDigit { end += 1 }
            if isAlone(index..<end), let value = Int(log.text(index..<end)) {
                let isNegative = index > start && log.bytes[index - 1] == UInt8(ascii: "-")
                numbers.append((index, isNegative ? -value : value))
            }
            index = end
        }
        return numbers
    }

    private func isAlone(_ range: Range<Int>) -> Bool {
        if range.lowerBound > start {
            let before = log.bytes[range.lowerBound - 1]
            if LogLine.isWord(before) || [UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/")].contains(before) {
                return false
            }
            if before == UInt8(ascii: "="), isBehindLabel(range.lowerBound - 1) { return false }
            if before == UInt8(ascii: "-"), range.lowerBound - 1 > start,
                LogLine.isWord(log.bytes[range.lowerBound - 2])
            {
                return false
            }
        }
        let after = log.byte(at: range.upperBound)
        if after == UInt8(ascii: ".") { return !log.byte(at: range.upperBound + 1).isASCIIDigit }
        return after == 0 || !LogLine.isWord(after)
    }

    private func isBehindLabel(_ equals: Int) -> Bool {
        let label = log.text(max(start, equals - 6)..<equals)
        return label.hasSuffix("task") || label.hasSuffix("object")
    }
}

extension StringProtocol {
    fileprivate func range(ofASCII word: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(word) { return start..<index(start, offsetBy: word.count) }
            start = index(after: start)
        }
        return nil
    }
}

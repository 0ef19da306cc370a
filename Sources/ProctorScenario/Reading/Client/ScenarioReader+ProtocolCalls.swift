import ProctorBase
import ProctorDocument
import ProctorTrace

/// The calls of a scripted URLProtocol that take more than a word.
extension ScenarioReader {
    /// A status of three digits, then a content type and what a cache may do, in any order, each once and with one space.
    func scriptedResponse(_ argument: ScalarText) -> ProtocolCall.Act? {
        let words = argument.words
        guard let first = words.first, let status = Self.status(first.text, in: Bounds.status) else {
            return wrong(argument, "expected \"response\" with a status from 100 to 999, found \(found(words.first))")
        }
        var mime: String?
        var storage: ProtocolCall.Storage?
        for word in words.dropFirst() {
            if storage == nil, let known = ProtocolCall.Storage(rawValue: word.text) {
                storage = known
            } else if mime == nil, Self.isContentType(word.text) {
                mime = word.text
            } else {
                let names = ProtocolCall.Storage.allCases.map(\.rawValue).joined(separator: ", ")
                return wrong(
                    word,
                    "after the status come at most one content type like text/plain and one of \(names); found "
                        + quoted(word.text))
            }
        }
        return .response(status: status, mime: mime, storage: storage)
    }

    /// A negative code of NSURLErrorDomain, the name of one, or `DOMAIN#CODE`.
    func scriptedFailure(_ argument: ScalarText) -> ProtocolCall.Act? {
        let text = argument.text
        if let code = Int(text), String(code) == text {
            guard (-99_999 ... -1).contains(code) else {
                return wrong(argument, "expected a code of NSURLErrorDomain from -99999 to -1, found \(text)")
            }
            return .fail(domain: URLErrorName.domain, code: code)
        }
        if let (domain, code) = URLErrorName.code(named: text) {
            guard text.contains("#") else { return .fail(domain: domain, code: code) }
            let isDomain = domain.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") }
            if isDomain, text == "\(domain)#\(code)", Int(Int32.min)...Int(Int32.max) ~= code {
                return .fail(domain: domain, code: code)
            }
        }
        let nearest = NearestName.find(text, in: URLErrorName.names)
        return wrong(
            argument,
            "expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found \(found(argument))",
            hint: nearest.map { "did you mean \(quoted($0))?" } ?? "write fail -1004, fail timedOut or fail MyDomain#7")
    }

    /// `URL`, or `STATUS URL`; the script is cut at spaces, so the URL holds none.
    func scriptedRedirect(_ argument: ScalarText) -> ProtocolCall.Act? {
        var target = argument
        var status = ProtocolCall.usualRedirect
        if let first = argument.words.first, !first.text.isEmpty, first.text.utf8.allSatisfy(\.isASCIIDigit) {
            guard let number = Self.status(first.text, in: 300...399) else {
                return wrong(first, "expected a status of a redirect from 300 to 399, found \(first.text)")
            }
            status = number
            target = argument.dropping(first.text.utf8.count + 1)
        }
        guard !target.text.isEmpty else { return wrong(target, "\"redirect\" needs a URL") }
        guard let url = TemplateParser(scope: clientScope, sink: sink).parse(target) else { return nil }
        guard ClientURL.staysOnMachine(url, hosts: hosts) else {
            return wrong(
                target, "the redirect target \(quoted(target.text)) is not on this machine", hint: hostHint)
        }
        let hasSpace = url.parts.contains { part in
            switch part {
            case .literal(let bytes): bytes.contains { $0 <= 0x20 }
            case .now: true
            case .base, .origin, .authority, .host, .port, .capture: false
            }
        }
        guard !hasSpace else {
            return wrong(target, "the redirect target \(quoted(target.text)) holds a space", hint: "write %20")
        }
        return .redirect(status: status, target: url)
    }

    func scriptedChallenge(_ argument: ScalarText) -> ProtocolCall.Act? {
        let names = ChallengeKind.names
        if names.contains(argument.text) { return .challenge(kind: argument.text) }
        if argument.text.isEmpty {
            return wrong(argument, "\"challenge\" needs a kind", hint: "permitted: \(names.joined(separator: ", "))")
        }
        return wrong(
            argument, "unknown kind of challenge \(quoted(argument.text))",
            hint: DiagnosticSink.hint(for: argument.text, among: names))
    }

    // MARK: Parts

    private static func status(_ text: String, in range: ClosedRange<Int>) -> Int? {
        guard let number = Int(text), String(number) == text, range.contains(number) else { return nil }
        return number
    }

    private static func isContentType(_ text: String) -> Bool {
        guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return false }
        let type = text.utf8[..<slash]
        let rest = text.utf8[text.utf8.index(after: slash)...]
        return !type.isEmpty && type.allSatisfy(\.isTokenByte) && !rest.isEmpty
            && rest.allSatisfy { 0x21...0x7E ~= $0 }
    }

    private func found(_ word: ScalarText?) -> String {
        guard let word, !word.text.isEmpty else { return "nothing" }
        return quoted(word.text)
    }

    /// Reports at the first byte of the text.
    func wrong<Result>(_ text: ScalarText, _ sentence: String, hint: String? = nil) -> Result? {
        sink.report(text.location(text.range.lowerBound), sentence, hint: hint)
        return nil
    }
}

extension ScalarText {
    /// What stands between single spaces; two in a row have an empty word between them.
    fileprivate var words: [ScalarText] {
        bytes[range].split(separator: 0x20, omittingEmptySubsequences: false).map { slice in
            var word = self
            word.range = slice.startIndex..<slice.endIndex
            return word
        }
    }
}

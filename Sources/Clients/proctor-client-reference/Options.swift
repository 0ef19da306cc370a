internal import ProctorBase
internal import ProctorEvents
internal import ProctorReferenceAdapter
internal import ProctorRules

struct Options {
    private var givenShape: ReferenceShape?
    var breaking: Breakage?
    /// Whether the client reaches host names through the proxy that resolves them, instead of by their addresses.
    var comesByNamesProxy = false
    /// Whether sessions have a cache when the program does not mention one, as in most applications.
    var keepsCache = false
    /// The size of that cache in bytes, enough for every fixture that does not set one.
    static let cacheByteLimit = 8 << 20
    /// What a refused redirect does to an NSURLDownload (R5).
    var refusedDownload = RefusedDownload.cancel

    /// The two effects that Apple's documents describe (R5): NSURLDownload.h, and the programming guide.
    enum RefusedDownload: String, CaseIterable { case cancel, deliver }

    /// A breakage without `--shape` is shown in its own shape.
    var shape: ReferenceShape { givenShape ?? breaking?.shape ?? .session }

    struct Problem: Error {
        let text: String
    }

    static func parse(_ arguments: [String]) throws(Problem) -> Options {
        var options = Options()
        var rest = arguments[...]
        var given: Set<String> = []
        while let argument = rest.popFirst() {
            guard ["--as", "--break", "--cache", "--names-proxy", "--refused-download"].contains(argument) else {
                throw unknown(argument)
            }
            guard given.insert(argument).inserted else { throw Problem(text: "\(argument) is given twice") }
            if argument == "--names-proxy" {
                options.comesByNamesProxy = true
                continue
            }
            if argument == "--cache" {
                options.keepsCache = true
                continue
            }
            guard let value = rest.popFirst() else { throw missingValue(of: argument) }
            switch argument {
            case "--as": options.givenShape = try shape(named: value)
            case "--refused-download": options.refusedDownload = try refusedDownload(value)
            default: options.breaking = try broken(value)
            }
        }
        if options.keepsCache, options.shape == .urlProtocol {
            throw Problem(text: "--cache is for no URLProtocol, whose loading system keeps the cache")
        }
        return options
    }

    private static func shape(named name: String) throws(Problem) -> ReferenceShape {
        if let shape = ReferenceShape(rawValue: name) { return shape }
        let names = ReferenceShape.allCases.map(\.rawValue)
        throw Problem(text: "unknown shape '\(name)'; \(nearest(name, names) ?? "expected \(list(names))")")
    }

    private static func refusedDownload(_ word: String) throws(Problem) -> RefusedDownload {
        if let effect = RefusedDownload(rawValue: word) { return effect }
        let words = RefusedDownload.allCases.map(\.rawValue)
        throw Problem(text: "unknown effect '\(word)'; \(nearest(word, words) ?? "expected \(list(words))")")
    }

    /// Reads a rule with or without its letter, as `proctor explain` does, or a word like `nonce-count-stays`.
    private static func broken(_ text: String) throws(Problem) -> Breakage {
        let labels = [text, text.uppercased(), "R\(text)"]
        let known = Breakage.all + Breakage.storms
        if let breakage = known.first(where: { breakage in labels.contains { $0 == breakage.label } }) {
            return breakage
        }
        guard let number = RuleNumber(parsing: text) ?? RuleNumber(parsing: "R\(text)") else {
            let words = known.filter { $0.rule == nil }.map(\.label)
            let hint = nearest(text, words) ?? "expected one like R12, or a word of --list-breaks"
            throw Problem(text: "'\(text)' is no rule; \(hint)")
        }
        let fault = Rules.rule(number) == nil ? "there is no rule \(number)" : "this client can't break \(number)"
        throw Problem(text: "\(fault); --list-breaks has the rules that it can")
    }

    private static func unknown(_ argument: String) -> Problem {
        let known = [
            "--as", "--break", "--cache", "--names-proxy", "--refused-download", "--list-breaks", "--under-urlsession",
            "--help", "--version",
        ]
        if known.contains(argument) { return Problem(text: "\(argument) stands alone or not at all") }
        return Problem(text: "unknown argument '\(argument)'; \(nearest(argument, known) ?? "expected \(list(known))")")
    }

    private static func missingValue(of argument: String) -> Problem {
        let wanted =
            switch argument {
            case "--as": list(ReferenceShape.allCases.map(\.rawValue))
            case "--refused-download": list(RefusedDownload.allCases.map(\.rawValue))
            default: "a rule like R12, or a word of --list-breaks"
            }
        return Problem(text: "\(argument) has no value; expected \(wanted)")
    }

    private static func nearest(_ name: String, _ candidates: [String]) -> String? {
        NearestName.find(name, in: candidates).map { "did you mean '\($0)'?" }
    }

    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) or \(last)"
    }
}

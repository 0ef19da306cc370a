internal import ProctorBase
import ProctorProgram
internal import ProctorScenario

/// One step of a case as options for curl.
struct CurlStep: Sendable {
    let program: ClientProgram
    /// Of the program.
    let scenario: Scenario
    let place: PlaceOfScenario
    /// Where the proxy of the session listens, or the one that leads to the scenario's names; nil: there is none.
    let proxy: String?
    /// Of the whole case.
    let session: SessionProgram?
    /// What the program comes by.
    let route: CurlRoute
    /// Of an earlier step, for the same guards, and kept since.
    let remembered: ClientProgram.Credential?
    /// What the next step inherits, and the guards that it is for.
    let keeps: (credential: ClientProgram.Credential, guards: Set<Int>)?

    init(
        program: ClientProgram, session: SessionProgram?, before: CurlStep?, scenario: Scenario, place: PlaceOfScenario
    ) {
        self.program = program
        self.scenario = scenario
        self.place = place
        self.session = session
        let asked = session?.proxy.flatMap { place.authorities.indices.contains($0) ? place.authorities[$0] : nil }
        proxy = asked ?? place.namesProxy
        let route = CurlRoute(
            from: Self.url(of: program, at: place), following: program.follows, of: scenario, at: place)
        self.route = route
        let own = program.onChallenge.compactMap(\.credential)
        let isSameSpace = before?.keeps.map { !$0.guards.isDisjoint(with: route.guards) || $0.guards == route.guards }
        remembered = own.isEmpty && isSameSpace == true ? before?.keeps?.credential : nil
        if let kept = own.first(where: { $0.persistence != .none }) {
            keeps = (kept, route.guards)
        } else {
            keeps = before?.keeps
        }
    }

    /// The options and the URL.
    var words: [String] {
        var words = ["-i"]
        if program.follows { words.append(crossesWithCredentials ? "--location-trusted" : "-L") }
        switch program.method {
        case "GET": break
        case "HEAD": words.append("-I")
        // With -d curl says POST by itself, and may then turn into GET as browsers do.
        case "POST" where program.body != nil: break
        default: words += ["-X", program.method]
        }
        words += security
        words += cookies
        words += authentication
        for header in program.headers {
            words += ["-H", Self.typed(header.name) + ": " + Self.typed(header.value.rendered(in: context))]
        }
        if let body = program.body { words += ["--data-binary", data(body)] }
        let url = Self.url(of: program, at: place)
        // To curl these are patterns of many URLs.
        if url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
        words.append(url)
        return words
    }

    private static func url(of program: ClientProgram, at place: PlaceOfScenario) -> String {
        let bytes = program.url.rendered(in: place.context)
        if program.isURLVerbatim { return typed(bytes) }
        let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
        let (blanks, text) = (typed(Array(bytes[..<start])), typed(Array(bytes[start...])))
        return blanks + (text.isEmpty || text.hasPrefix("/") ? place.base : "") + text
    }

    /// As a person would type it: UTF-8 as it is, and what no keyboard has as an escape that shows.
    private static func typed(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return EscapedText.of(bytes, limit: .max)
        }
        return text
    }

    private var context: TemplateContext { place.context }

    private func data(_ body: ByteSource) -> String {
        switch body {
        case .literal(let bytes): data(bytes)
        case .template(let template): data(template.rendered(in: context))
        case .file(let file): "@\(file.path)"
        case .repeated, .pattern: "@FILE"
        }
    }

    /// Bytes that can be typed, else a file that is to hold them.
    private func data(_ bytes: [UInt8]) -> String {
        let isPrintable = bytes.allSatisfy { (0x20...0x7E).contains($0) } && bytes.first != UInt8(ascii: "@")
        return isPrintable && bytes.count <= 1_000 ? String(decoding: bytes, as: UTF8.self) : "@FILE"
    }
}

extension ClientProgram {
    /// Whether the first redirect is followed.
    fileprivate var follows: Bool {
        if case .follow? = onRedirect.first { true } else { false }
    }
}

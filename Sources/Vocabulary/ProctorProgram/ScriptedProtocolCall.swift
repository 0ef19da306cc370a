import ProctorEvents

/// One act of a scripted URLProtocol; `Target` is the type of a redirect's URL.
public struct ScriptedProtocolCall<Target: Sendable & Equatable>: Sendable, Equatable {
    /// The act.
    public let act: Act
    /// Whether the act runs on a thread other than the client thread (R48).
    public let isOnOtherThread: Bool
    /// Further fields of a `response`, in order, each as `[name, value]`.
    public var headers: [[String]] = []
    /// The HTTP version of a `response`; nil: `HTTP/1.1`.
    public var version: String?

    /// The acts of a scripted URLProtocol.
    public enum Act: Sendable, Equatable {
        /// A redirect response with a status from 300 to 399.
        case redirect(status: Int, target: Target)
        /// A response head with at most a Content-Type, and its cache storage policy; nil: not given.
        case response(status: Int, mime: String?, storage: Storage?)
        case data(String)
        case finish
        case fail(domain: String, code: Int)
        case challenge(kind: String)
        case cancelChallenge
        case cachedResponseIsValid
        /// Runs the run loop for this time.
        case wait(Duration)
        /// Blocks the thread for this time without its run loop.
        case block(Duration)
        /// Waits for the main thread, which waits for the end of the load; gives up after ``mainThreadWait``.
        case blockOnMain
        case awaitAnswer
        case awaitStop
        /// An act of an assignment that can't be read, and why.
        case unreadable(String)
    }

    /// The cache storage policy of a response; `not-allowed` by default.
    public typealias Storage = ScriptedStorage

    /// Makes a call of an act.
    package init(_ act: Act, isOnOtherThread: Bool = false) {
        (self.act, self.isOnOtherThread) = (act, isOnOtherThread)
    }

    /// Longer than a client thread may be blocked, and short enough that a deadlock ends soon.
    package static var mainThreadWait: Duration { .milliseconds(1_500) }

    package static var usualRedirect: Int { 302 }
}

/// The cache storage policy that a protocol gives its response.
public enum ScriptedStorage: String, Sendable, CaseIterable, Codable, AssignmentWord {
    case allowed, memory
    case notAllowed = "not-allowed"
}

extension ScriptedProtocolCall {
    /// Converts the redirect's URL, and rounds times to milliseconds, the unit of assignments.
    package func map<Other>(target: (Target) -> Other) -> ScriptedProtocolCall<Other> {
        var other = ScriptedProtocolCall<Other>(act.map(target), isOnOtherThread: isOnOtherThread)
        other.headers = headers
        other.version = version
        return other
    }
}

extension ScriptedProtocolCall.Act {
    fileprivate func map<Other>(_ other: (Target) -> Other) -> ScriptedProtocolCall<Other>.Act {
        switch self {
        case .redirect(let status, let target): .redirect(status: status, target: other(target))
        case .response(let status, let mime, let storage): .response(status: status, mime: mime, storage: storage)
        case .data(let text): .data(text)
        case .finish: .finish
        case .fail(let domain, let code): .fail(domain: domain, code: code)
        case .challenge(let kind): .challenge(kind: kind)
        case .cancelChallenge: .cancelChallenge
        case .cachedResponseIsValid: .cachedResponseIsValid
        case .wait(let duration): .wait(.milliseconds(duration.wholeMilliseconds))
        case .block(let duration): .block(.milliseconds(duration.wholeMilliseconds))
        case .blockOnMain: .blockOnMain
        case .awaitAnswer: .awaitAnswer
        case .awaitStop: .awaitStop
        case .unreadable(let reason): .unreadable(reason)
        }
    }
}

/// The form of an act in an assignment: a name and one text.
extension ScriptedProtocolCall<String> {
    package var name: String { line.name }
    /// The text of an act.
    ///
    /// `response`: a status, then a Content-Type and `allowed`, `memory` or `not-allowed`. `redirect`: a URL, with a
    /// status other than 302 before it. `fail`: a code of NSURLErrorDomain or `DOMAIN#CODE`. `challenge`: its kind.
    /// `data`: the content. Waits: milliseconds.
    package var argument: String? { line.argument }

    private var line: (name: String, argument: String?) {
        switch act {
        case .redirect(let status, let target):
            ("redirect", (status == Self.usualRedirect ? "" : "\(status) ") + target)
        case .response(let status, let mime, let storage):
            ("response", [String(status), mime, storage?.rawValue].compactMap(\.self).joined(separator: " "))
        case .data(let text): ("data", text)
        case .finish: ("finish", nil)
        case .fail(let domain, let code): ("fail", domain == URLErrorName.domain ? String(code) : "\(domain)#\(code)")
        case .challenge(let kind): ("challenge", kind)
        case .cancelChallenge: ("cancel-challenge", nil)
        case .cachedResponseIsValid: ("cached-response-valid", nil)
        case .wait(let duration): ("wait", String(duration.wholeMilliseconds))
        case .block(let duration): ("block", String(duration.wholeMilliseconds))
        case .blockOnMain: ("block-on", "main")
        case .awaitAnswer: ("await-answer", nil)
        case .awaitStop: ("await-stop", nil)
        case .unreadable(let reason): ("unreadable", reason)
        }
    }

    /// Reads name and text; a call that can't be read becomes ``Act/unreadable(_:)`` with the reason.
    public init(_ name: String, _ argument: String? = nil, isOnOtherThread: Bool = false) {
        let text = argument ?? ""
        let act: Act =
            switch name {
            case "redirect": Self.redirect(text)
            case "response": Self.response(text)
            case "data": .data(text)
            case "finish": .finish
            case "fail": Self.failure(text)
            case "challenge": Self.challenge(argument ?? "basic")
            case "cancel-challenge": .cancelChallenge
            case "cached-response-valid": .cachedResponseIsValid
            case "wait": .wait(Self.duration(text))
            case "block": .block(Self.duration(text))
            case "block-on":
                text == "main" ? .blockOnMain : .unreadable("\"block-on \(text)\": a script waits for main alone")
            case "await-answer": .awaitAnswer
            case "await-stop": .awaitStop
            default: .unreadable("no protocol call \"\(name)\"")
            }
        self.init(act, isOnOtherThread: isOnOtherThread)
    }

    /// Reads a URL, with a status other than 302 before it.
    private static func redirect(_ text: String) -> Act {
        let words = text.split(separator: " ")
        let status = words.count > 1 ? words.first.flatMap { Int($0) } : usualRedirect
        guard let target = words.last, let status, (300...399).contains(status) else {
            return .unreadable(unreadableRedirect(text))
        }
        return .redirect(status: status, target: String(target))
    }

    /// Why a redirect can't be read.
    package static func unreadableRedirect(_ text: String) -> String {
        "\"redirect \(text)\" has no URL, or a status that is not 300 to 399"
    }

    /// Reads `200`, then in any order a Content-Type and `allowed`, `memory` or `not-allowed`.
    private static func response(_ text: String) -> Act {
        let words = text.split(separator: " ")
        guard let first = words.first, let status = Int(first), (100...999).contains(status) else {
            return .unreadable("\"response \(text)\" has no status of three digits")
        }
        var mime: String?
        var storage: Storage?
        for word in words.dropFirst() {
            if let known = Storage(rawValue: String(word)) {
                storage = known
            } else if word.contains("/") {
                mime = String(word)
            } else {
                return .unreadable("\"\(word)\" is no content type and no allowed, memory or not-allowed")
            }
        }
        return .response(status: status, mime: mime, storage: storage)
    }

    /// Reads a code of NSURLErrorDomain, its short name, or `DOMAIN#CODE`.
    private static func failure(_ text: String) -> Act {
        if let code = Int(text) { return .fail(domain: URLErrorName.domain, code: code) }
        guard let (domain, code) = URLErrorName.code(named: text) else {
            return .unreadable("\"fail \(text)\": no code, no short name of an error and no DOMAIN#CODE")
        }
        return .fail(domain: domain, code: code)
    }

    private static func challenge(_ kind: String) -> Act {
        guard ChallengeKind.names.contains(kind) else {
            return .unreadable("no challenge \"\(kind)\"; there are \(ChallengeKind.names.joined(separator: ", "))")
        }
        return .challenge(kind: kind)
    }

    /// Reads `50`, `50ms` or `2s`; zero for other text.
    private static func duration(_ text: String) -> Duration {
        let digits = text.prefix { $0.isNumber }
        let unit: Int64 = text.dropFirst(digits.count) == "s" ? 1_000_000_000 : 1_000_000
        let (product, isTooLong) = (Int64(digits) ?? 0).multipliedReportingOverflow(by: unit)
        return .nanoseconds(isTooLong ? Int64.max : product)
    }
}

extension Duration {
    /// Milliseconds, rounded up.
    package var wholeMilliseconds: Int {
        let parts = components
        return Int(parts.seconds) * 1000 + Int((parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

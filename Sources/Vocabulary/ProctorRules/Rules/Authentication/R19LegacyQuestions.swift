internal import ProctorBase
import ProctorEvents

struct R19LegacyQuestions: RuleMonitor {
    static let interests: EventNameSet = [
        .askCanAuth, .askCredStore, .challenge, .challengeCancelled, .redirect, .response, .progress,
    ]

    /// The last askCanAuth of each protection space; at most ``mostSpaces``.
    private var asked: [TraceEvent] = []
    private var unasked: TraceEvent?
    private var hasAskedStore = false
    private var hasQuestions = false
    private var hasResponse = false

    private static let mostSpaces = 8

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .askCanAuth:
            if let unasked, Self.mayBeOneSpace(unasked, event) || Self.isNewer(unasked) {
                return Breach("\(event.symbol) came after \(unasked.symbol); it is asked before")
            }
            takeQuestion(event)
        case .challenge: return takeChallenge(event, load)
        case .challengeCancelled:
            if let unasked, Self.isNewer(unasked) {
                return Breach("\(event.symbol) came although the newer method took the challenge")
            }
        case .askCredStore: return takeStore(event, load)
        case .redirect: hasQuestions = true
        case .response, .progress: hasResponse = true
        default: break
        }
        return nil
    }

    private mutating func takeQuestion(_ event: TraceEvent) {
        asked.removeAll { Self.mayBeOneSpace($0, event) }
        if asked.count == Self.mostSpaces { asked.removeFirst() }
        asked.append(event)
    }

    /// Both questions have a protection space, of which a recorder may leave out parts.
    private static func mayBeOneSpace(_ first: TraceEvent, _ second: TraceEvent) -> Bool {
        first.argument == second.argument
            && [FactKey.realm, .host, .port].allSatisfy { key in
                guard let one = first.facts[key], let other = second.facts[key] else { return true }
                return one == other
            }
    }

    private mutating func takeChallenge(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        hasQuestions = true
        guard let asked = asked.last(where: { Self.mayBeOneSpace($0, event) }) else {
            unasked = event
            return nil
        }
        if asked.facts[.accepts] == .flag(false) {
            return Breach("\(event.symbol) came although askCanAuth was answered NO")
        }
        if Self.isNewer(event) { return Breach("askCanAuth came although the newer method takes \(event.symbol)") }
        if load.previous?.name != .askCanAuth, load.previous?.name != .challenge {
            return Breach(
                "\(load.previous?.symbol.description ?? "an event") stands between askCanAuth and \(event.symbol)",
                isInferred: true)
        }
        return nil
    }

    private mutating func takeStore(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if hasAskedStore { return Breach("askCredStore came a second time; it is asked once") }
        if hasResponse || hasQuestions {
            return Breach(
                "askCredStore came after \(load.previous?.symbol.description ?? "other events"); it is asked before "
                    + "loading starts", isInferred: !hasResponse)
        }
        hasAskedStore = true
        return nil
    }

    private static func isNewer(_ challenge: TraceEvent) -> Bool {
        challenge.facts.text(.sel)?.contains(text: "willSendRequestForAuthenticationChallenge") ?? false
    }
}

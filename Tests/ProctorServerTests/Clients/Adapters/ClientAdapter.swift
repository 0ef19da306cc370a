import ProctorScenario

@testable import ProctorProgram

/// Teaches one real client to do what a case tells it.
protocol ClientAdapter: Sendable {
    /// The name of its ledger.
    var name: String { get }
    /// The version that is installed.
    func version() throws -> String
    /// Why it can't be told to do this; nil when it can.
    func reasonToSkip(_ item: Case, of scenario: Scenario) -> SkipReason?
    /// Does all steps, in order and with one set of connections; one report each.
    func perform(_ steps: [ClientStep]) async throws -> [ClientReport]
}

/// Why a case is not set to a client; counted, so that it can't grow unseen.
enum SkipReason: String, Sendable, CaseIterable, CustomStringConvertible {
    case changesRequest = "the request that a redirect offers is changed, which takes a callback"
    case mixedAnswers = "the redirects of one load are answered differently, which takes a callback"
    case asksCallbacks = "the client is steered by callbacks that it does not have"
    case mixedCredentials = "the challenges of one load are answered differently, which takes a callback"
    case answersNothing = "a challenge has to be answered, and the client knows no credentials"
    case knowsNoTokens = "a challenge has to be answered with a token, and the client knows none"
    case hasNoProxy = "the load goes through a proxy, and the client knows none"
    case followsNothing = "a redirect has to be followed, and the client follows none"
    case keepsNothing = "something is to be kept in a cache, and the client has none"
    case decodesNothing = "a coding that nobody asked for has to be undone, and the client undoes none"
    case encodesNothing = "values have to be encoded, and the client is given what is encoded already"
    case boundsNoLoad = "a limit of time for the whole load, and the client has only one for each silence"

    var description: String { rawValue }
}

/// How long a client may take for a step, and for all of a case; the machine may be busy with other tests.
enum ClientTimes {
    static let step = 60
    static let whole = Duration.seconds(180)
}

extension Scenario {
    /// Whether a reply is coded for every client, with a Content-Encoding.
    var isCodedUnasked: Bool {
        exchanges.contains { exchange in
            exchange.replies.contains { reply in
                guard case .structured(let message) = reply.message else { return false }
                if case .apply = message.coding?.plan, message.coding?.label != .absent { return true }
                return message.headers.contains { String(decoding: $0.name, as: UTF8.self) == "Content-Encoding" }
            }
        }
    }
}

extension Case {
    /// What no client without callbacks can be told.
    var reasonToSkipWithoutCallbacks: SkipReason? {
        for program in client {
            for answer in program.onRedirect {
                if case .change = answer { return .changesRequest }
            }
            if program.onRedirect.count > 1 { return .mixedAnswers }
            // A cancel behind a credential stands for a client that gives it once.
            let isGivenOnce =
                program.onChallenge.first?.credential != nil
                && program.onChallenge.dropFirst().allSatisfy { $0 == .cancel }
            let isAnswered =
                isGivenOnce || program.onChallenge.allSatisfy { $0.credential != nil || $0.isWithoutCredential }
            if !isGivenOnce, isAnswered, let first = program.onChallenge.first,
                program.onChallenge.contains(where: { $0 != first })
            {
                return .mixedCredentials
            }
            let isSteered =
                !isAnswered || program.answerAfter != nil || program.onResponse != .allow
                || program.onBodyStream != .fresh
                || program.protocolScript != nil || program.cancelAt != nil || program.suspendAt != nil
                || program.resume != nil
            if isSteered { return .asksCallbacks }
            if program.form != nil || program.query != nil { return .encodesNothing }
            let isCached = program.session?.cache != nil || [.cacheOnly, .cacheElseLoad].contains(program.cachePolicy)
            if isCached { return .keepsNothing }
        }
        return nil
    }
}

extension ClientProgram {
    /// Whether redirects are followed; without callbacks, to cancel is to refuse.
    var follows: Bool {
        if case .follow = onRedirect.first { return true }
        return false
    }
}

internal import ProctorBase
import ProctorProgram
package import ProctorReplies
package import ProctorScenario

/// A call of the control API or a page below ``prefix``: method, path and handler (Docs/use/control.md).
///
/// In a path RUN and EXAM stand for one segment, and SCENARIO and REST for one or more.
///
/// A module beside the core adds rows of its own (``ServerConfiguration/calls``, ``ServerConfiguration/pages``).
package struct ControlCall: Sendable {
    let method: String
    let access: Access
    fileprivate let path: [Substring]
    /// Whether the answer to an unknown path names it.
    private let isNamed: Bool
    /// The segment of the path that stands for the id; nil where there is none.
    private let place: Int?
    private let isOneSegment: Bool
    /// Whether the id is that of a scenario at the shared port, in place of its run's.
    var isOfStandingRun: Bool { path.first == "standing" }
    let handler: @Sendable (ControlAPI) -> Handler

    /// Who may make a call.
    package enum Access {
        /// Every client, also from a page of another site.
        case everybody
        /// Whoever the gate lets in; no token is needed.
        case readers
        /// Whoever the gate lets in, with the token where there is one.
        case callers
    }

    package typealias Handler = (ControlRequest) async throws(ControlError) -> BuiltInReply

    package init(_ method: String, _ path: String, by handler: @escaping @Sendable (ControlAPI) -> Handler) {
        self.init(method, path, isNamed: true, by: handler)
    }

    /// A call of a module that this program was built without, which is told so: `part` is the module, as "the import".
    package init(_ method: String, _ path: String, without part: String) {
        self.init(method, path, isNamed: false) { _ in { _ throws(ControlError) in throw .withoutModule(part) } }
    }

    package init(
        _ method: String, _ path: String, isNamed: Bool = false, for access: Access = .callers,
        by handler: @escaping @Sendable (ControlAPI) -> Handler
    ) {
        (self.method, self.isNamed, self.access) = (method, isNamed, access)
        self.path = path.split(separator: "/")
        place = self.path.firstIndex { ["RUN", "EXAM", "SCENARIO", "REST"].contains($0) }
        isOneSegment = place.map { [segments = self.path] in ["RUN", "EXAM"].contains(segments[$0]) } ?? false
        self.handler = handler
    }

    /// Makes the calls of one server for exams that tests of other languages set.
    package static let examCalls = PartSlot<@Sendable () -> [ControlCall]>("the part for exams in tests")

    package static let prefix = ControlMessage.prefix

    /// All calls and pages of the core.
    private static let all: [ControlCall] = [
        // Certificates and revocation are public, and a client that needs them has no token.
        ControlCall("GET", "ca.pem", for: .everybody, by: ControlAPI.certificatePEM),
        ControlCall("GET", "ca.der", for: .everybody, by: ControlAPI.certificateDER),
        ControlCall("GET", "crl", for: .everybody, by: ControlAPI.revocationList),
        ControlCall("POST", "ocsp", for: .everybody, by: ControlAPI.answerOCSP),
        ControlCall("GET", "ocsp/REST", for: .everybody, by: ControlAPI.answerOCSPInPath),
        ControlCall("GET", "health", by: ControlAPI.health),
        ControlCall("GET", "scenarios", by: ControlAPI.listScenarios),
        ControlCall("GET", "scenarios/SCENARIO", by: ControlAPI.describe),
        ControlCall("POST", "standing/SCENARIO/reset", by: ControlAPI.resetStanding),
        ControlCall("GET", "standing/SCENARIO/state", by: ControlAPI.state),
        ControlCall("PUT", "standing/SCENARIO/state", by: ControlAPI.putState),
        ControlCall("PATCH", "standing/SCENARIO/state", by: ControlAPI.patchState),
        ControlCall("GET", "standing/SCENARIO/clock", by: ControlAPI.clock),
        ControlCall("POST", "standing/SCENARIO/clock", by: ControlAPI.moveClock),
        // Behind the longer paths, which it would match too.
        ControlCall("GET", "standing/SCENARIO", by: ControlAPI.standing),
        ControlCall("GET", "sets", by: ControlAPI.listSets),
        ControlCall("GET", "sets/SCENARIO", by: ControlAPI.describeSet),
        ControlCall("PUT", "sets/SCENARIO", by: ControlAPI.putInSet),
        ControlCall("DELETE", "sets/SCENARIO", by: ControlAPI.deleteFromSet),
        ControlCall("GET", "shared/journal", by: ControlAPI.sharedJournal),
        ControlCall("POST", "inline", by: ControlAPI.createInline),
        ControlCall("POST", "stubs", by: ControlAPI.createStubs),
        ControlCall("GET", "unused", by: ControlAPI.unused),
        ControlCall("GET", "runs", by: ControlAPI.listRuns),
        ControlCall("POST", "runs", by: ControlAPI.createRuns),
        ControlCall("GET", "runs/RUN", by: ControlAPI.run),
        ControlCall("DELETE", "runs/RUN", by: ControlAPI.delete),
        ControlCall("GET", "runs/RUN/assignment", by: ControlAPI.assignment),
        ControlCall("GET", "runs/RUN/journal", by: ControlAPI.journal),
        ControlCall("GET", "runs/RUN/timeline", by: ControlAPI.timeline),
        ControlCall("GET", "runs/RUN/verdict", by: ControlAPI.verdict),
        ControlCall("POST", "runs/RUN/grade", by: ControlAPI.grade),
        ControlCall("PUT", "runs/RUN/ledger", by: ControlAPI.putLedger),
        ControlCall("PUT", "runs/RUN/platform", by: ControlAPI.putPlatform),
        ControlCall("POST", "runs/RUN/reset", by: ControlAPI.reset),
        ControlCall("GET", "runs/RUN/state", by: ControlAPI.state),
        ControlCall("PUT", "runs/RUN/state", by: ControlAPI.putState),
        ControlCall("PATCH", "runs/RUN/state", by: ControlAPI.patchState),
        ControlCall("GET", "runs/RUN/clock", by: ControlAPI.clock),
        ControlCall("POST", "runs/RUN/clock", by: ControlAPI.moveClock),
        ControlCall("POST", "runs/RUN/reached", by: ControlAPI.reached),
        ControlCall("GET", "runs/RUN/environment", by: ControlAPI.environment),
        ControlCall("GET", "runs/RUN/proxy.pac", by: ControlAPI.proxyConfiguration),
    ]

    /// The call of a request, and the id in its path (empty where the path has none); `path` is without query.
    static func find(
        method: String, path: String, beside added: AddedCalls
    ) throws(ControlError) -> (call: ControlCall, id: String) {
        // By bytes: characters would be told apart by Unicode's rules first.
        let segments = path.utf8.dropFirst(prefix.utf8.count).split(separator: UInt8(ascii: "/")).map { Substring($0) }
        // No path begins with an id.
        let first = segments.first ?? ""
        let ofCore = byFirstSegment[first, default: []]
        let ofModules = added.rows.byFirstSegment[first, default: []]
        // HEAD is GET without the content.
        let wanted = method == "HEAD" ? "GET" : method
        func call(of calls: [ControlCall]) -> (call: ControlCall, id: String)? {
            for call in calls where call.method == wanted {
                if let id = call.id(in: segments) { return (call, id) }
            }
            return nil
        }
        if let call = call(of: ofCore) ?? call(of: ofModules) { return call }
        let methods = (ofCore + ofModules).filter { $0.id(in: segments) != nil }.map(\.method)
        guard methods.isEmpty else { throw .methodNotAllowed(method, allowed: methods) }
        throw path.hasPrefix(PageAddress.prefix) ? .unknownPage(path) : unknown(path, beside: added)
    }

    /// In the order of ``all``.
    private static let byFirstSegment = Dictionary(grouping: all) { $0.path[0] }

    /// Whether it is that of one word, which modules have.
    func isNamed(_ word: String) -> Bool { isNamed && path == [word[...]] }

    /// The id in the path, empty where the call has none; nil where the path belongs to another call.
    private func id(in segments: [Substring]) -> String? {
        guard let place else { return path == segments ? "" : nil }
        let last = path.count - place - 1
        let count = segments.count - place - last
        guard isOneSegment ? count == 1 : count > 0, segments.starts(with: path[..<place]),
            segments.suffix(last).elementsEqual(path.suffix(last))
        else { return nil }
        return count == 1 ? String(segments[place]) : segments[place..<place + count].joined(separator: "/")
    }

    private static func unknown(_ path: String, beside added: AddedCalls) -> ControlError {
        let rows = all + added.rows.all.filter(\.isNamed)
        func parts(behind first: String, _ place: Int) -> String {
            let parts = rows.filter { $0.path.count == place + 1 && $0.path[0] == first }.map { $0.path[place] }
            return parts.indices.filter { parts.firstIndex(of: parts[$0]) == $0 }.map { parts[$0] }
                .joined(separator: "|")
        }
        let exams = parts(behind: "exams", 2)
        let words = added.rows.all.filter { $0.isNamed && $0.path.count == 1 }.map { "\($0.path[0]), " }.joined()
        return ControlError(
            404, "unknown-call",
            message: "there is no call '\(path)'; the calls are health, ca.pem, ca.der, crl, ocsp, "
                + "scenarios[/ID], standing/ID[/reset|/state|/clock], sets[/SET[/ID]], inline, stubs, "
                + "shared/\(parts(behind: "shared", 1)), \(exams.isEmpty ? "" : "exams/NAME[/\(exams)], ")unused, \(words)"
                + "runs[/ID[/\(parts(behind: "runs", 2))]]"
        )
    }
}

/// The calls and pages that modules add to those of the core, made when the first call comes; safe from any thread.
final class AddedCalls: Sendable {
    private let makeCalls: @Sendable () -> [ControlCall]
    private let made = Locked<Rows?>(nil)

    fileprivate struct Rows: Sendable {
        let all: [ControlCall]
        let byFirstSegment: [Substring: [ControlCall]]

        init(_ calls: [ControlCall]) {
            all = calls
            byFirstSegment = Dictionary(grouping: calls) { $0.path[0] }
        }
    }

    init(_ makeCalls: @escaping @Sendable () -> [ControlCall]) { self.makeCalls = makeCalls }

    fileprivate var rows: Rows {
        if let rows = made.withLock({ $0 }) { return rows }
        let rows = Rows(makeCalls())
        // Another thread's may be those that stay: what a row keeps for its server must be one.
        return made.withLock { made in
            made = made ?? rows
            return made ?? rows
        }
    }
}

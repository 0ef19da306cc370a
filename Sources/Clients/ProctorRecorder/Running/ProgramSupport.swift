internal import Foundation
internal import ProctorBase
import ProctorEvents
internal import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Finds what URLSession can't do on this platform for a program.
enum ProgramSupport {
    /// Why an assignment can't be run here, known before the first step; nil when it can.
    static func missing(for assignment: Assignment) -> String? {
        let setup = assignment.session
        if let unknown = assignment.unknownWord(joint: ": ") { return unknown }
        if let reason = missingTransport(of: setup) ?? missingProxy(of: setup) { return reason }
        if assignment.protocolName == "h3" { return "protocol: URLSession speaks no HTTP/3 here" }
        if assignment.protocolName == "h2",
            let index = assignment.steps.firstIndex(where: { $0.url.lowercased().hasPrefix("http:") })
        {
            return "steps[\(index)].url: URLSession speaks HTTP/2 where ALPN agrees on it, and this load has no TLS"
        }
        if let reason = missingCertificates(of: setup) ?? missingMethods(of: setup) { return reason }
        for (index, step) in assignment.steps.enumerated() {
            if let reason = missing(for: step, setup) { return "steps[\(index)]: \(reason)" }
        }
        return nil
    }

    /// URLSession speaks only HTTP over TCP, under `http` and `https`.
    private static func missingTransport(of setup: SessionSetup) -> String? {
        if setup.ownScheme != nil {
            return "session.ownScheme: URLSession loads http and https; what else a URLProtocol loads, that one decides"
        }
        if setup.callsAtOnce { return "session.callsAtOnce: URLSession calls its URLProtocol classes as it likes" }
        if setup.keepsObjects { return "session.keepsObjects: URLSession lets its URLProtocol objects go by itself" }
        if let names = setup.names, setup.proxy == nil {
            if let host = names.first(where: { $0.address.hasPrefix("unix:") }) {
                return "session.names: \(host.name) stands on a Unix socket, and URLSession reaches none"
            }
            if setup.namesProxy == nil {
                return "session.names: URLSession can't be told addresses, and there is no session.namesProxy"
            }
        }
        return nil
    }

    /// URLSession on Linux ignores its configuration's proxy and uses the environment's.
    private static func missingProxy(of setup: SessionSetup) -> String? {
        #if !canImport(Darwin)
            let key = setup.proxy == nil ? "namesProxy" : "proxy"
            if let proxy = setup.proxy ?? (setup.names == nil ? nil : setup.namesProxy) {
                let environment = ProcessInfo.processInfo.environment
                for name in ["http_proxy", "https_proxy"] where environment[name] != "http://\(proxy)" {
                    return "session.\(key): URLSession on Linux finds its proxy in the environment alone; "
                        + "set http_proxy and https_proxy to http://\(proxy) for this process"
                }
            }
        #endif
        return nil
    }

    /// URLSession on Linux validates servers only with the system's authorities, and has no client certificates.
    private static func missingCertificates(of setup: SessionSetup) -> String? {
        #if !canImport(Darwin)
            if setup.identity != nil {
                return
                    "session.identity: URLSession on Linux has no client certificates (swift-corelibs-foundation #4937)"
            }
            if let trust = setup.trust, let reason = SystemAuthorities.reasonNotToTrust(trust) {
                return "session.trust: URLSession on Linux takes its authorities from the system alone; \(reason)"
            }
        #endif
        return nil
    }

    /// URLSession on Linux finds methods by protocol; each set of missing methods needs a class of its own here.
    private static func missingMethods(of setup: SessionSetup) -> String? {
        if let methods = setup.challengeMethods {
            return "session.challengeMethods: \(methods.rawValue): a session has none of the old families' methods"
        }
        let ofSessions: [DelegateMethod] = [.redirect, .needBodyStream, .bodySent, .willCache, .response]
        if let foreign = setup.without.first(where: { !ofSessions.contains($0) }) {
            return "session.without: a session's delegate has no method of \(foreign.rawValue)"
        }
        #if !canImport(Darwin)
            if setup.without.count > 1 {
                return "session.without: the recorder has a delegate without one method, and none without several"
            }
        #endif
        return nil
    }

    /// Answers to questions that only the old families ask.
    private static func missingAnswers(of step: Assignment.Step) -> String? {
        let questions = [
            ("onCanAuthenticate", step.onCanAuthenticate != nil),
            ("onCredentialStorage", step.onCredentialStorage != nil), ("onShouldDecode", step.onShouldDecode != nil),
            ("onCanonicalize", step.onCanonicalize != nil),
        ]
        return questions.first(where: \.1).map { "\($0.0): a session asks its delegate no such question" }
    }

    private static func missing(for step: Assignment.Step, _ setup: SessionSetup) -> String? {
        if step.schedule != nil { return "schedule: only an NSURLConnection is scheduled, and this is a URLSession" }
        if let reason = missingRequest(of: step) { return reason }
        if step.page != nil { return "page: a URLSession has no page that makes its requests" }
        if step.task.family == .eventSource { return "task: URLSession has no event sources" }
        if step.task == .websocket { return "task: this program opens no WebSockets" }
        if setup.delegates == .none, !step.task.family.endsInHandler {
            return "a \(step.task) task shows nothing to a session without a delegate; only handler and async do"
        }
        if let fault = step.body?.fault { return fault }
        if step.download != nil { return "download: a session decides itself where the file is and how long it stays" }
        return missingAnswers(of: step) ?? missingBody(of: step)
    }

    /// The requests of NSURLConnection without a delegate, in whose loads a program can't take part.
    private static func missingRequest(of step: Assignment.Step) -> String? {
        guard step.task == .synchronous || step.task == .queued else { return nil }
        #if canImport(Darwin)
            if step.cancelAt != nil || step.suspendAt != nil {
                return "a \(step.task) request can be neither cancelled nor suspended"
            }
            let answersRedirects = step.onRedirect.contains { $0 != .follow }
            if answersRedirects || step.onChallenge.contains(where: { $0 != .performDefault }) {
                return "a \(step.task) request has no delegate that could answer"
            }
            return step.protocolScript == nil ? nil : "a \(step.task) request plays no script here"
        #else
            return "task: \(step.task) is of NSURLConnection, which Foundation has on Darwin alone"
        #endif
    }

    private static func missingBody(of step: Assignment.Step) -> String? {
        #if !canImport(Darwin)
            if step.bodyForm == .requestBoundPair { return "Foundation has no bound pairs of streams here" }
        #endif
        guard step.bodyForm.isAskedFor else { return nil }
        if step.task != .data && step.task != .upload { return "a \(step.task) task takes no streamed request" }
        #if !canImport(Darwin)
            if step.bodyForm == .boundPair { return "Foundation has no bound pairs of streams here" }
        #endif
        return nil
    }
}

#if !canImport(Darwin)
    internal import Foundation

    /// The system's list of certificate authorities, which this process uses.
    enum SystemAuthorities {
        /// The path that libcurl reads on Debian and distributions based on it; other systems have a link of that name.
        static let path = "/etc/ssl/certs/ca-certificates.crt"

        /// Why servers of an authority (PEM file) are not trusted here, and what to do; nil: they are trusted.
        static func reasonNotToTrust(_ authority: String) -> String? {
            // An authority in a `data:` URL has no path here.
            let shown = authority.hasPrefix("data:") ? "the server's authority" : authority
            guard let text = AssignedFile.text(at: authority), let wanted = AssignedFile.firstCertificate(in: text)
            else {
                return "\(shown) holds no certificate in PEM"
            }
            guard let list = AssignedFile.text(at: path) else { return "there is no \(path) to hold it" }
            // The lines of the list may be broken at other columns.
            if list.filter({ !$0.isWhitespace }).contains(wanted.base64EncodedString()) { return nil }
            return
                "\(path) does not hold that of \(shown): run the adapter where unprivileged mount namespaces are allowed, "
                + "or add it there"
        }
    }
#endif

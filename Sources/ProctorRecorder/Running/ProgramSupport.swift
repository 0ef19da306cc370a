internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What URLSession has on this platform, and what a program may ask of it.
enum ProgramSupport {
    /// The family of API a step's task belongs to.
    static func family(of step: Assignment.Step) -> CallbackFamily {
        switch step.task {
        case "download": .UD
        case "handler", "async": .HT
        default: .US
        }
    }

    /// Why an assignment can't be run here, found before anything is done; nil when it can.
    static func missing(for assignment: Assignment) -> String? {
        let setup = assignment.session
        guard ["session", "task", "both", "none"].contains(setup.delegates) else {
            return "session.delegates: \(setup.delegates)"
        }
        guard ["serial", "default", "main", "concurrent"].contains(setup.queue) else {
            return "session.queue: \(setup.queue)"
        }
        if let reason = missing(forTransportOf: setup) ?? missing(forProxyOf: setup) { return reason }
        if let reason = missing(forCertificatesOf: setup) { return reason }
        for (index, step) in assignment.steps.enumerated() {
            if let reason = missing(for: step, setup) { return "steps[\(index)]: \(reason)" }
        }
        return nil
    }

    /// HTTP over TCP is all that URLSession has, under its own two names.
    private static func missing(forTransportOf setup: SessionSetup) -> String? {
        if setup.ownScheme != nil {
            return "session.ownScheme: URLSession loads http and https; what else a URLProtocol loads, that one decides"
        }
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

    /// URLSession on Linux takes no notice of its configuration's proxy, but of the one in the environment.
    private static func missing(forProxyOf setup: SessionSetup) -> String? {
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

    /// URLSession on Linux judges servers by the system's authorities alone, and has nothing to show of itself.
    private static func missing(forCertificatesOf setup: SessionSetup) -> String? {
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

    private static func missing(for step: Assignment.Step, _ setup: SessionSetup) -> String? {
        guard ["data", "upload", "download", "handler", "async"].contains(step.task) else {
            return "task: \(step.task)"
        }
        if setup.delegates == "none", family(of: step) != .HT {
            return "a \(step.task) task shows nothing to a session without a delegate; only handler and async do"
        }
        if let policy = step.cachePolicy, StepRequest.cachePolicy(policy) == nil { return "cachePolicy: \(policy)" }
        if let fault = step.body?.fault { return fault }
        return missing(forBodyOf: step)
    }

    private static func missing(forBodyOf step: Assignment.Step) -> String? {
        switch step.bodyForm {
        case "data", "file", "http-body-stream": return nil
        case "stream", "bound-pair":
            if step.task != "data" && step.task != "upload" { return "a \(step.task) task takes no streamed request" }
            #if !canImport(Darwin)
                if step.bodyForm == "bound-pair" { return "Foundation has no bound pairs of streams here" }
            #endif
            return nil
        default: return "bodyForm: \(step.bodyForm)"
        }
    }
}

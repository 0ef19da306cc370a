internal import Foundation
internal import ProctorBase
import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Finds what URLSession can't do on this platform for a program.
enum ProgramSupport {
    /// Why an assignment can't be run here, known before the first step; nil when it can.
    ///
    /// `refusals.tsv` says what URLSession can't do; here stands what depends on more than words of the assignment.
    static func missing(for assignment: Assignment) -> String? {
        let setup = assignment.session
        let joint = ": "
        if let unknown = assignment.unknownWord(joint: joint) { return unknown }
        if let reason = missingProxy(of: setup) ?? missingAuthority(of: setup) { return reason }
        for (index, step) in assignment.steps.enumerated() {
            if let fault = step.body?.fault { return "steps[\(index)]\(joint)\(fault)" }
        }
        #if canImport(Darwin)
            let platform = ClientRefusals.Client.darwin
        #else
            let platform = ClientRefusals.Client.linux
            if setup.without.count > 1 {
                return "session.without: the recorder has a delegate without one method, and none without several"
            }
        #endif
        return ClientRefusals(of: [.urlSession, platform], called: "a session").reason(for: assignment, joint: joint)
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

    /// URLSession on Linux validates servers only with the system's authorities.
    private static func missingAuthority(of setup: SessionSetup) -> String? {
        #if !canImport(Darwin)
            if let trust = setup.trust, let reason = SystemAuthorities.reasonNotToTrust(trust) {
                return "session.trust: URLSession on Linux takes its authorities from the system alone; \(reason)"
            }
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

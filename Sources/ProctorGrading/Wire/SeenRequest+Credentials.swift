import ProctorBase
import ProctorHTTP
import ProctorTrace

/// What a request says in Authorization and Proxy-Authorization.
extension WireRecord.SeenRequest {
    /// `scheme`, `token68` or a parameter, without quotes and as far as it can be read; of several fields a list.
    func credential(_ name: String, isProxy: Bool) -> Measurement {
        let credentials = credentials(isProxy: isProxy)
        switch name {
        case "scheme":
            return Measurement(ofValues: credentials.map(\.scheme).filter { !$0.isEmpty }.map { Array($0.utf8) })
        case "token68": return Measurement(ofValues: credentials.compactMap(\.token68).map { Array($0.utf8) })
        default:
            let wanted = name.utf8.map(\.asciiLowercased)
            return Measurement(
                ofValues: credentials.flatMap(\.parameters).filter { $0.name.utf8.map(\.asciiLowercased) == wanted }
                    .map(\.bytes))
        }
    }

    /// Half a sentence; nil where it is there.
    func reasonForAbsence(ofCredential name: String, isProxy: Bool) -> String? {
        guard credential(name, isProxy: isProxy) == .absent else { return nil }
        let field = Self.credentialsField(isProxy: isProxy)
        let values = head.fields.values(named: Array(field.utf8))
        if values.isEmpty { return "the request has no \(field)" }
        return "its \(field) has no \(WireText.of(name.utf8))"
    }

    private func credentials(isProxy: Bool) -> [Credentials] {
        head.fields.values(named: Array(Self.credentialsField(isProxy: isProxy).utf8)).map { Credentials(Array($0)) }
    }

    private static func credentialsField(isProxy: Bool) -> String {
        isProxy ? "Proxy-Authorization" : "Authorization"
    }

    /// Adds, for the rules of authentication, for whom it carries credentials and what became of it.
    func tellReply(in facts: inout EventFacts) {
        if let status { facts.append(EventFact(.status, .integer(status))) }
        let isForOrigin = !head.fields.values(named: Array(Self.credentialsField(isProxy: false).utf8)).isEmpty
        let isForProxy = !head.fields.values(named: Array(Self.credentialsField(isProxy: true).utf8)).isEmpty
        let carried = isForOrigin && isForProxy ? "both" : isForOrigin ? "origin" : isForProxy ? "proxy" : "none"
        facts.append(EventFact(.credentials, .text(carried)))
        if let verdict = verdicts.last {
            facts.append(EventFact(.guarded, .text("\(verdict.field) \(verdict.outcome.rawValue)")))
        }
    }
}

import ProctorBase
import ProctorDocument
import ProctorHTTP
import ProctorScenario

extension ScenarioReader {
    /// Reports schemes for which no credential is right, and users and tokens that no scheme uses; called when the
    /// whole guard has been read.
    func checkMeans(_ schemes: [ReadScheme], tokens: (any Sendable)?, _ keys: Mapping<GuardKeys>) {
        for scheme in schemes {
            guard let name = scheme.name else { continue }
            switch scheme.means {
            case .users where !keys.has(\.users):
                sink.report(
                    scheme.node, "\(quoted(name)) needs \"users\", or no request ever passes",
                    hint: "write users: { user: pass }, or verbatim: TEXT for a challenge alone")
            case .tokens where !keys.has(\.tokens):
                sink.report(
                    scheme.node, "\(quoted(name)) needs \"tokens\", or no request ever passes",
                    hint: "write tokens: [TOKEN], or verbatim: TEXT for a challenge alone")
            case .tokens:
                if case .other(let offer)? = scheme.value, let fault = offer.fault(of: tokens) {
                    sink.report(scheme.node, fault.sentence, hint: fault.hint)
                }
            case .users, nil: continue
            }
        }
        checkSchemes(keys.entry(\.users), are: .users, takenBy: schemes)
        checkSchemes(keys.entry(\.tokens), are: .tokens, takenBy: schemes)
    }

    private func checkSchemes(_ entry: Node.Entry?, are means: SchemeRow.Means, takenBy schemes: [ReadScheme]) {
        let takers = SchemeRow.all.filter { $0.means == means }.map(\.name)
        guard let entry, !schemes.contains(where: { $0.means == means }) else { return }
        sink.report(
            entry.keyNode, "no scheme here takes \(means.rawValue)",
            hint: "offer \(takers.joined(separator: " or "))")
    }

    func checkOffer(_ schemes: [ReadScheme]) {
        for (index, scheme) in schemes.enumerated() {
            guard let value = scheme.value, let name = scheme.name, name != SchemeNames.verbatim else { continue }
            guard schemes.prefix(index).contains(where: { $0.value == value }) else { continue }
            sink.report(
                scheme.node, "\(quoted(name)) stands here twice, with nothing that differs",
                hint: "leave one out, or write verbatim: TEXT for a challenge alone")
        }
    }

    /// Reports a status that does not tell the client of the refusal.
    func checkRefusals(_ node: Node, isProxy: Bool) {
        for reply in node.items ?? [node] {
            guard let status = reply.entries?.first(where: { $0.key == "status" })?.value,
                let number = status.text.flatMap({ Int($0) }), Bounds.status.contains(number)
            else { continue }
            if number < 400 {
                sink.report(
                    status, "a refusal is 401 (407 of a proxy) or another status from 400 on, found \(number)",
                    hint: "write status: \(isProxy ? 407 : 401), or leave it out")
            } else if number == 407, !isProxy {
                sink.report(
                    status, "407 is the refusal of a proxy, which this guard is not",
                    hint: "write proxy: true beside \"refuse\", or status: 401")
            } else if number == 401, isProxy {
                sink.report(
                    status, "401 is the refusal of an origin, and this guard has proxy: true",
                    hint: "write status: 407, or leave proxy: true out")
            }
        }
    }

    /// Reports user names that Basic can't encode.
    func checkAccountsOfBasic(_ entries: [Node.Entry]) {
        for entry in entries {
            guard let password = entry.value.text else { continue }
            do throws(BasicCredentialError) {
                _ = try BasicCredential(user: entry.key, password: password)
            } catch {
                sink.report(
                    entry.keyNode, "no client ever passes as \(quoted(entry.key)): \(error)",
                    hint: "let a guard that offers no basic know this user")
            }
        }
    }

    /// Reports contradictions between the keys of a Digest offer.
    func checkDigest(
        _ keys: Mapping<DigestKeys>, nonces: Guard.DigestOffer.NoncePolicy, info: Guard.DigestOffer.Info, hasQop: Bool
    ) {
        if case .fixed = nonces.source {
            for entry in keys.entries where entry.key == "uses" || entry.key == "lifetime" {
                sink.report(
                    entry.keyNode, "\(quoted(entry.key)) does not go with a fixed nonce, which is never replaced",
                    hint: "write nonce: { seed: 7 } for others that are the same in each run")
            }
            if info.givesNextNonce, let node = keys.entry(\.info)?.value {
                sink.report(
                    node, "\"nextnonce\" does not go with a fixed nonce, which is never replaced",
                    hint: "write nonce: { seed: 7 } for others that are the same in each run")
            }
        }
        if !hasQop, let entry = keys.entry(\.nonceCount) {
            sink.report(entry.keyNode, "\"nonce-count\" needs a qop: without it a credential has no nc (RFC 7616 §3.4)")
        }
    }
}

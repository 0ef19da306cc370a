internal import ProctorBase
internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorScenario

extension GuardDesk {
    /// What the request's credential is worth; nil where none came.
    func examine(_ values: [ArraySlice<UInt8>], _ request: RequestView, _ messages: ConnectionMessages?) -> Finding? {
        guard let value = values.first else { return examineElsewhere(request) }
        let credentials = Credentials(Array(value))
        guard values.count == 1 else {
            return finding(
                credentials,
                CredentialFault(
                    .severalFields, "\(values.count) fields of credentials came; expected one", section: "RFC 9110 §5.3"
                ))
        }
        if credentials.isScheme("Digest"), let finding = examineDigest(credentials, request) { return finding }
        for (index, judge) in compiled.judges.enumerated() {
            switch judge {
            case .basic(let judge) where credentials.isScheme("Basic"):
                let judgement = judge.judge(credentials)
                return Finding(
                    scheme: credentials.scheme, user: judgement.user, faults: judgement.faults,
                    remarks: judgement.remarks)
            case .bearer(let judge) where credentials.isScheme("Bearer"):
                return examine(credentials, request, by: judge)
            case .messages(let offer) where credentials.isScheme(offer.scheme):
                return examine(credentials, offer, scheme: index, messages)
            case .basic, .bearer, .messages, .digest, .none: continue
            }
        }
        return finding(credentials, notOffered(credentials))
    }

    func finding(_ credentials: Credentials, _ fault: CredentialFault) -> Finding {
        Finding(scheme: credentials.scheme.isEmpty ? nil : credentials.scheme, faults: [fault])
    }

    private func notOffered(_ credentials: Credentials) -> CredentialFault {
        guard !credentials.scheme.isEmpty else {
            let violation = credentials.violations.first
            return CredentialFault(
                .malformedField, violation?.sentence ?? "the field is empty; expected a scheme and what it wants",
                section: violation?.section ?? "RFC 9110 §11.4")
        }
        let offered = compiled.judges.compactMap(\.name)
        var names: [String] = []
        for name in offered where !names.contains(name) { names.append(name) }
        return CredentialFault(
            .wrongScheme,
            "the scheme \"\(PrintableText.of(credentials.scheme, limit: 40))\" is not accepted; expected "
                + (names.isEmpty ? "none at all" : names.joined(separator: " or ")),
            section: compiled.rules.isProxy ? "RFC 9110 §11.7.2" : "RFC 9110 §11.6.2")
    }

    // MARK: Bearer

    private func examine(_ credentials: Credentials?, _ request: RequestView, by judge: BearerJudge) -> Finding {
        let judgement = judge.judge(bearerRequest(credentials, request))
        return finding(judgement, judge)
    }

    /// A token may stand in the query or in a form, where the field is not there.
    private func examineElsewhere(_ request: RequestView) -> Finding? {
        for case .bearer(let judge) in compiled.judges {
            let judgement = judge.judge(bearerRequest(nil, request))
            if judgement.hasToken { return finding(judgement, judge) }
        }
        return nil
    }

    private func finding(_ judgement: BearerJudgement, _ judge: BearerJudge) -> Finding {
        var finding = Finding(scheme: "Bearer", faults: judgement.faults)
        finding.error = judgement.error.map { error in
            let parameters = judge.parameters(for: judgement)
            return ChallengeText.TokenError(
                code: error, description: parameters.first { $0.isNamed("error_description") }?.bytes ?? [])
        }
        return finding
    }

    private func bearerRequest(_ credentials: Credentials?, _ request: RequestView) -> BearerRequest {
        BearerRequest(
            method: Array(request.head.methodBytes), credentials: credentials, query: request.query.map { Array($0) },
            contentType: request.head.fields.first(named: "Content-Type").map { Array($0) }, content: request.body)
    }
}

extension CompiledGuard.SchemeJudge {
    /// Of what is accepted.
    fileprivate var name: String? {
        switch self {
        case .basic: "Basic"
        case .digest: "Digest"
        case .bearer: "Bearer"
        case .messages(let offer): offer.scheme
        case .none: nil
        }
    }
}

internal import ProctorBase
internal import ProctorHTTP

/// Finds out what a wrong signature was computed with, by signing what clients have signed in the place of the right thing.
struct AWS4Diagnosis {
    let claims: AWS4Claims
    let request: AWS4Request
    let payload: String
    let signing: AWS4Signing
    let key: [UInt8]

    private typealias Trial = (kind: CredentialFault.Kind, sentence: String, canonical: String)

    /// The canonical request in a sentence is cut behind so many bytes.
    private static let shownByteCount = 2_000

    /// `canonical` is the right canonical request.
    func fault(account: CredentialAccount, canonical: String) -> CredentialFault {
        for trial in trials where signing.signature(of: trial.canonical, by: key) == claims.signature {
            return AWS4Claims.fault(trial.kind, "the signature was computed with \(trial.sentence)")
        }
        if let bare = signing.key(of: account.password, prefix: ""),
            signing.signature(of: canonical, by: bare) == claims.signature
        {
            return AWS4Claims.fault(
                .wrongSignature, "the signature was computed with the secret alone; expected AWS4 before it")
        }
        return AWS4Claims.fault(
            .wrongSignature,
            "the signature is another than that of this canonical request, or the secret is: "
                + "\"\(EscapedText.escape(canonical.utf8, limit: Self.shownByteCount))\"")
    }

    private var trials: [Trial] {
        var trials: [Trial] = []
        func add(_ kind: CredentialFault.Kind, _ sentence: String, _ change: (inout AWS4Request) -> Void) {
            var other = request
            change(&other)
            trials.append((kind, sentence, other.canonical(signed: claims.signedNames, payload: payload)))
        }
        for method in ["GET", "HEAD", "PUT", "POST", "DELETE"] where method != request.method {
            add(.wrongMethod, "the method \(method); the request has \(AWS4Claims.shown(request.method))") {
                $0.method = method
            }
        }
        let isOnce = request.pathForm == .once
        add(
            .wrongURI,
            isOnce
                ? "the path encoded twice; expected it once, as for S3"
                : "the path encoded once; expected it twice, as for all services but S3"
        ) { $0.pathForm = isOnce ? .twice : .once }
        add(.wrongURI, "the path as it was sent; expected all but unreserved characters and slashes encoded") {
            $0.pathForm = .asSent
        }
        add(.wrongURI, "the path without encoding") { $0.pathForm = .decoded }
        add(.wrongURI, "the query in the order of the request; expected names that ascend") { $0.queryForm = .asSent }
        add(.wrongURI, "no query") { $0.queryForm = .leftOut }
        if let host = request.value(of: "host"), let mark = host.lastIndex(of: ":") {
            add(.wrongSignature, "Host without its port; the request has \(AWS4Claims.shown(host))") {
                $0.replace("host", by: String(host[..<mark]))
            }
        }
        for other in ["UNSIGNED-PAYLOAD", AWS4Signing.hash([])] where other != payload {
            trials.append(
                (
                    .wrongContentHash,
                    "\(other == "UNSIGNED-PAYLOAD" ? other : "the hash of no content") in the place of \(AWS4Claims.shown(payload))",
                    request.canonical(signed: claims.signedNames, payload: other)
                ))
        }
        return trials
    }
}

import ProctorGrading
import ProctorReferenceAdapter
import ProctorScenario
import Testing

/// A family of callbacks, and the case whose whole trace is edited for it.
struct EditedFamily: Sendable, CustomTestStringConvertible {
    let name: String
    let id: String
    var shape = ReferenceShape.session

    var testDescription: String { name }

    static let all = [
        EditedFamily(name: "data", id: "own/edited#parts"),
        EditedFamily(name: "redirect", id: "redirect/302-get-stays-get#follow"),
        EditedFamily(name: "auth-basic", id: "auth/basic/every-answer#wrong-three-times-then-right"),
        EditedFamily(name: "auth-digest", id: "own/digest#use"),
        EditedFamily(name: "proxy", id: "own/proxy#both"),
        EditedFamily(name: "server-trust", id: "own/handshake#resumed"),
        EditedFamily(name: "resumed-download", id: "range/resume-after-a-close#resume"),
        EditedFamily(name: "range", id: "range/from-the-middle"),
        EditedFamily(name: "cache", id: "cache/asked-about-by-tag"),
        EditedFamily(name: "fresh-cache", id: "cache/fresh-is-not-asked-for-again"),
        EditedFamily(name: "url-protocol", id: "redirect/302-get-stays-get#follow", shape: .urlProtocol),
        EditedFamily(name: "upload", id: "own/edited#upload"),
        EditedFamily(name: "download", id: "own/edited#file"),
        EditedFamily(name: "cancel", id: "cancel/in-data"),
        EditedFamily(name: "coding", id: "coding/gzip#as-offered"),
        EditedFamily(name: "cookie", id: "own/cookies#path"),
        EditedFamily(name: "h2", id: "h2/callbacks/redirect-and-challenge#follow"),
        EditedFamily(name: "h2-upload", id: "h2/callbacks/upload-held-by-its-window"),
        EditedFamily(name: "session", id: "own/edited#finished"),
        EditedFamily(name: "failure", id: "own/edited#broken"),
        EditedFamily(name: "connection", id: "own/edited#moved", shape: .connection),
        EditedFamily(name: "connection-auth", id: "own/digest#use", shape: .connection),
        EditedFamily(name: "old-download", id: "own/edited#file", shape: .download),
        EditedFamily(name: "multipart", id: "multipart/parts-of-different-types"),
        EditedFamily(name: "handler", id: "shape/get#handler"),
        EditedFamily(name: "ws", id: "own/websocket#talk"),
        EditedFamily(name: "sse", id: "sse/number-goes-on#again"),
        EditedFamily(name: "socks", id: "proxy/socks/password#right"),
        EditedFamily(name: "ntlm", id: "auth/ntlm/every-answer#wrong-then-right"),
        EditedFamily(name: "interim", id: "interim/several-different"),
        EditedFamily(name: "trailers", id: "plain/trailers"),
    ]

    /// Sits the case once.
    func sit() async throws -> (CaseEvidence, CaseGrader) {
        let (exam, entry) = try await OwnScenarios.entry(id)
        return try await exam.evidence(of: entry, as: shape)
    }
}

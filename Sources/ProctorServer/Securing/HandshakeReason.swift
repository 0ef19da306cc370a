internal import ProctorBase
internal import ProctorTLS

/// Why a handshake did not come to its end, for the journal: what the client said, then what the fixture did, then what
/// OpenSSL says.
enum HandshakeReason {
    static func sentence(of failure: HandshakeFailure, _ session: TLSSession, _ setup: TLSServerSetup) -> String {
        let report = session.report
        if let alert = report.alerts.last(where: { $0.isFatal && !$0.isOurs }) {
            return "the client sent alert \(alert.number) (\(alert.name))"
        }
        guard case .failed(let words) = failure else { return failure.description }
        if setup.serverName == .refused, report.alerts.contains(where: { $0.isOurs && $0.number == unrecognizedName }) {
            let name = report.serverName.map { " \"\(EscapedText.of($0.utf8, limit: 100))\"" } ?? ""
            return "the fixture refuses the server name\(name)"
        }
        if let reason = report.clientRefusal, !report.peerChain.isEmpty {
            return "the client's certificate is refused: \(reason)"
        }
        return words
    }

    private static let unrecognizedName: UInt8 = 112
}

import ProctorScenario
import ProctorTrace

/// Whether a run shows anything by which the cookies of a client can be judged (RFC 6265 §5.4).
///
/// A request shows what the client keeps when it comes after a reply that sets cookies and whose head the client can have
/// read. Without such a request a client that keeps nothing looks like one that keeps all.
enum CookieEvidence {
    /// Half a sentence that says what did not come; nil where cookies can be judged, or the case asks for none.
    static func reasonNotJudged(in record: WireRecord, item: Case) -> String? {
        guard item.cookies != nil else { return nil }
        guard !record.requests.isEmpty else { return "no request came" }
        if let reason = missingRequest(record, item) { return reason }
        guard let first = record.cookieSettings.first else {
            return record.requests.count > 1 ? nil : "no reply set a cookie, and no request followed the first one"
        }
        let followers = record.requests.filter { $0.sequence > first.sequence }
        let owner = first.request.map { " to request \($0)" } ?? ""
        guard !followers.isEmpty else { return "no request followed the reply\(owner), which sets cookies" }
        guard followers.contains(where: { !leavesAllOpen($0, record) }) else {
            return "every request behind the reply\(owner), which sets cookies, may have begun before it was read"
        }
        return nil
    }

    /// A request that the case waits for, of a load or of a redirect, never came.
    private static func missingRequest(_ record: WireRecord, _ item: Case) -> String? {
        let count = record.requests.count
        guard let wire = item.wire else {
            let loads = WireText.count(item.client.count, "load")
            return count < item.client.count ? "\(loads) brought \(WireText.count(count, "request"))" : nil
        }
        let diagnosis = wire.diagnosis(
            of: record.requests.map(\.symbol), ambient: item.ambient["wire"], terminals: [])
        guard let diagnosis, diagnosis.got == nil, diagnosis.overflow == nil else { return nil }
        return "request \(count), which the case waits for, never came"
    }

    /// Whether the client may have made up the request before it read any of the replies that had set cookies.
    private static func leavesAllOpen(_ request: WireRecord.SeenRequest, _ record: WireRecord) -> Bool {
        guard let verdict = request.cookieVerdict else { return false }
        return verdict.undecidedCount >= record.cookieSettings.count { $0.sequence < request.sequence }
    }
}

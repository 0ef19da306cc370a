package import ProctorBase
package import ProctorHTTP
package import ProctorScenario

package struct RequestView {
    package let head: RequestHead
    /// The request-target below the scenario's base, in origin-form where it has one.
    package let target: [UInt8]
    package let scheme: Scheme
    /// What hardly any request has; nil for the others, which are copied the faster.
    private let aids: Aids?

    /// The request-target as received, when in absolute-form.
    package var absoluteTarget: [UInt8]? { aids?.absoluteTarget }
    /// The content, complete when the scenario needs bodies; nil when it was not read or was too long to keep.
    package var body: [UInt8]? { if let aids { aids.body } else { [] } }
    /// Why there is no body: `content that was not read`.
    package var bodyGap: String? { aids?.bodyGap }
    /// The decoded content; nil where no pattern needs it.
    package var decoded: DecodedBody? { aids?.decoded }
    /// What TLS has settled; nil without TLS, and where no pattern needs it.
    package var security: SecurityFacts? { aids?.security }
    /// What comparing it may cost; nil for a short request to short patterns, which costs next to nothing.
    package var comparison: Comparison? { aids?.comparison }
    /// Asks the script of an exchange; nil where no exchange has one.
    var askScript: AskScript? { aids?.askScript }

    package typealias AskScript = (Exchange, FixtureScript) -> Result<Bool, ScriptFault>

    private final class Aids {
        let absoluteTarget: [UInt8]?
        let body: [UInt8]?
        let bodyGap: String?
        let decoded: DecodedBody?
        let security: SecurityFacts?
        let comparison: Comparison?
        let askScript: AskScript?

        init(
            _ absoluteTarget: [UInt8]?, _ body: [UInt8]?, _ bodyGap: String?, _ decoded: DecodedBody?,
            _ security: SecurityFacts?, _ comparison: Comparison?, _ askScript: AskScript?
        ) {
            (self.absoluteTarget, self.body, self.bodyGap, self.decoded) = (absoluteTarget, body, bodyGap, decoded)
            (self.security, self.comparison, self.askScript) = (security, comparison, askScript)
        }
    }

    /// A request without content whose target is its own and of which nothing else is asked.
    package init(head: RequestHead, originTarget: [UInt8], scheme: Scheme) {
        self.head = head
        target = originTarget
        self.scheme = scheme
        aids = nil
    }

    /// `decoding` is for a scenario that needs bodies, `security` for one that asks for facts of TLS.
    package init(
        head: RequestHead, target: [UInt8], body: [UInt8]?, bodyGap: String? = nil, decoding: DecodedBody? = nil,
        security: SecurityFacts? = nil, comparison: Comparison? = nil, scheme: Scheme = .http
    ) {
        // An origin server must accept both forms (RFC 9112 §3.2.2), so patterns may have either.
        let isAbsolute = head.form == .absolute && target.first != UInt8(ascii: "/")
        (self.head, self.scheme) = (head, scheme)
        self.target = isAbsolute ? AbsoluteTarget.originForm(of: target) : target
        let isPlain = decoding == nil && security == nil && comparison == nil && bodyGap == nil && body?.isEmpty == true
        aids =
            isPlain && !isAbsolute
            ? nil : Aids(isAbsolute ? target : nil, body, bodyGap, decoding, security, comparison, nil)
    }

    private init(_ view: RequestView, _ aids: Aids) {
        head = view.head
        target = view.target
        scheme = view.scheme
        self.aids = aids
    }

    /// Returns the same request, about which `askScript` asks.
    package func asking(_ askScript: @escaping AskScript) -> Self {
        Self(self, Aids(absoluteTarget, body, bodyGap, decoded, security, comparison, askScript))
    }

    package var path: ArraySlice<UInt8> {
        target.firstIndex(of: UInt8(ascii: "?")).map { target[..<$0] } ?? target[...]
    }

    /// The part after the first `?`; nil without one.
    package var query: ArraySlice<UInt8>? {
        target.firstIndex(of: UInt8(ascii: "?")).map { target[($0 + 1)...] }
    }

    package var budget: WorkBudget? { comparison?.budget }

    /// The pairs of the query as these items compare them.
    func queryPairs(for items: [RequestPattern.QueryItem]) -> [PairAssignment.Pair] {
        let isRaw = items.first?.isRaw == true
        return comparison?.queryPairs(of: query, isRaw: isRaw) ?? RequestPattern.pairs(of: query, isRaw: isRaw)
    }

    package var cookiePairs: [CookieField.Pair] { comparison?.cookiePairs(of: head) ?? head.cookiePairs }

    /// The values of the holes of an exchange that matches.
    package func captures(of exchange: Int, _ pattern: RequestPattern) -> Captures {
        comparison?.captures(of: exchange) ?? pattern.captures(of: self)
    }

    /// What the script of an exchange says, which is asked here; true without one.
    package func isWanted(by exchange: Exchange) -> Bool {
        guard let script = exchange.request.script, let askScript else { return exchange.request.script == nil }
        switch askScript(exchange, script) {
        case .success(let answer): return answer
        case .failure(let fault):
            decoded?.scriptFailure = decoded?.scriptFailure ?? fault.message
            return false
        }
    }

    package func hasMethod(in methods: [[UInt8]]?) -> Bool {
        guard let methods else { return true }
        return methods.contains { head.hasMethod($0) }
    }
}

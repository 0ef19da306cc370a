internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// Decides which clients may call the control API and read the pages.
///
/// A web page in a browser of this machine can send requests to loopback too, by itself, through a name that resolves to
/// 127.0.0.1, or because a scenario has sent it. So a browser comes by ``PagesHost`` alone, where no scenario answers,
/// from a page of that origin or from none. For programs `Host` must be an address of the server, and off loopback a
/// token is needed.
struct ControlGate: Sendable {
    let address: SocketAddress
    /// The token of `Authorization: Bearer TOKEN`; nil: none is needed.
    let token: String?
    var allowedOrigins: Set<String> = []
    var pages = PagesHost()

    /// The page of an allowed origin that calls; nil for another permitted client.
    ///
    /// Throws where the call is not permitted.
    func visitor(_ head: RequestHead, _ scheme: Scheme) throws(ControlError) -> Visitor? {
        let host = head.fields.first(named: "Host").map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard pages.isNamed(by: head) || isOurs(host) else {
            throw ControlError(
                403, "foreign-host",
                message:
                    "the control API answers to its own address only, and Host is \"\(EscapedText.escape(host.utf8))\""
            )
        }
        if let origin = allowedOrigin(BrowserMarks(head)) { return Visitor(origin: origin) }
        // A page changes nothing when it is read; some calls do.
        try checkBrowser(head, scheme, changes: head.path?.starts(with: PageAddress.prefix.utf8) != true)
        return nil
    }

    private func allowedOrigin(_ marks: BrowserMarks) -> String? {
        guard let origin = marks.origins.first, marks.origins.count == 1 else { return nil }
        return allowedOrigins.contains(origin.lowercased()) ? origin : nil
    }

    /// Throws where a browser asks and does not come by the host of the pages, or comes from another page.
    ///
    /// `changes`: whether even a GET may change something, as one that opens ports.
    func checkBrowser(_ head: RequestHead, _ scheme: Scheme, changes: Bool) throws(ControlError) {
        let marks = BrowserMarks(head)
        let isAtPages = pages.isNamed(by: head)
        // A program, which most callers are.
        guard isAtPages || isBrowser(marks, head) else { return }
        let authority = String(decoding: head.askedAuthority ?? [], as: UTF8.self)
        let own = "\(scheme.rawValue)://\(authority)".lowercased()
        if let origin = marks.origins.first {
            let isOwn = marks.origins.count == 1 && origin.lowercased() == own
            guard isOwn else {
                throw ControlError(
                    403, "foreign-origin",
                    message: "pages of \"\(EscapedText.escape(origin.utf8))\" may not call the control API; "
                        + "serve --allow-origin ORIGIN lets those of an origin call")
            }
        }
        if marks.isFromElsewhere {
            throw ControlError(
                403, "cross-site",
                message: "pages of other sites may not call the control API or lead to its pages; "
                    + advice(head, scheme))
        }
        guard isAtPages else {
            throw ControlError(
                403, "pages-host",
                message: "scenarios answer at this address, so browsers reach pages and the control API by another; "
                    + advice(head, scheme))
        }
        // Whoever leads such a browser here is unknown but for Referer, which our own pages always have it send.
        guard !marks.isOfUnmarkedBrowser || marks.isReferred(by: own) || !changes && head.readsPages else {
            throw ControlError(
                403, "unmarked-browser",
                message: "this browser does not say which page a request comes from; "
                    + "begin at \(own)\(PageAddress.runs), or use a newer one")
        }
    }

    /// With a token a call needs no look at what it may come from; a page to type the token into does.
    private func isBrowser(_ marks: BrowserMarks, _ head: RequestHead) -> Bool {
        !marks.isEmpty || (token == nil || head.wantsHTML) && marks.isOfUnmarkedBrowser
    }

    /// The reply that leads a person's browser to the same page by the host of the pages; nil for other requests.
    func redirect(_ head: RequestHead, _ scheme: Scheme) -> BuiltInReply? {
        guard head.readsPages, head.wantsHTML, !pages.isNamed(by: head) else { return nil }
        let marks = BrowserMarks(head)
        guard isBrowser(marks, head), marks.origins.isEmpty, let url = pages.url(of: head, scheme) else { return nil }
        var reply = BuiltInReply(status: 307, body: "see \(url)\n")
        reply.fields.append(("Location", url))
        return reply
    }

    /// The reply to a browser that may not read a page; nil where it may.
    func refusal(of head: RequestHead, _ scheme: Scheme, changes: Bool = false) -> BuiltInReply? {
        if let redirect = redirect(head, scheme) { return redirect }
        do throws(ControlError) {
            try checkBrowser(head, scheme, changes: changes)
            return nil
        } catch {
            return error.text
        }
    }

    /// What a person does to see the page; half a sentence.
    private func advice(_ head: RequestHead, _ scheme: Scheme) -> String {
        if let url = pages.url(of: head, scheme) { return "open \(url)" }
        return "open http://\(pages.name):PORT/ on the server's machine or through a tunnel, "
            + "or give serve a --pages-host NAME that leads here"
    }

    func checkToken(_ head: RequestHead) throws(ControlError) {
        guard let token else { return }
        let given = head.fields.first(named: "Authorization").map { Array($0) } ?? []
        let scheme = Array("Bearer ".utf8)
        // The scheme's letter case does not matter (RFC 9110 §11.1).
        let hasScheme = given.prefix(scheme.count).elementsEqual(scheme) { $0.asciiLowercased == $1.asciiLowercased }
        guard hasScheme, Self.isEqual(Array(given.dropFirst(scheme.count)), Array(token.utf8)) else {
            throw ControlError(
                401, "token-needed", message: "send the token given at start as 'Authorization: Bearer TOKEN'")
        }
    }

    /// Compares in constant time, so that the time reveals nothing of the token.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// A loopback address, `localhost`, or the bound address; with any port, since containers map ports.
    ///
    /// Off loopback the server can't know its names and addresses; the token protects it.
    private func isOurs(_ authority: String) -> Bool {
        if token != nil, !address.isLoopback { return true }
        let bytes = Array(authority.utf8)
        guard let place = HostAndPort(bytes.span, in: bytes.indices) else { return false }
        let host = String(decoding: bytes[place.host], as: UTF8.self).lowercased()
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return address.isReached(at: isBracketed ? String(host.dropFirst().dropLast()) : host)
    }
}

extension ControlGate {
    /// A page of an allowed origin; its browser needs CORS fields in the reply (Fetch, CORS protocol).
    struct Visitor {
        let origin: String

        /// The answer to a preflight, which carries no token; nil for any other request.
        func preflight(_ head: RequestHead) -> BuiltInReply? {
            guard head.hasMethod("OPTIONS"), head.fields.first(named: "Access-Control-Request-Method") != nil else {
                return nil
            }
            var reply = shown(BuiltInReply(status: 200, body: ""))
            reply.fields.append(("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE"))
            reply.fields.append(("Access-Control-Allow-Headers", "Authorization, Content-Type"))
            return reply
        }

        /// The reply with the fields that let the page read it.
        func shown(_ reply: BuiltInReply) -> BuiltInReply {
            var reply = reply
            reply.fields.append(("Access-Control-Allow-Origin", origin))
            reply.fields.append(("Vary", "Origin"))
            return reply
        }
    }
}

internal import ProctorHTTP
internal import ProctorReference

/// A session has no callback for what its loader rewrites (R7), and the wire shows that no server redirected.
extension BrokenWire {
    static let rewriting: [BrokenWire] = [
        actions(
            "rewriting-told-as-a-redirect", "tell a session of its own rewriting of a URL as of a redirect", says: nil,
            keeping: ()
        ) { actions, event, loader, _ in
            guard event == .start, loader.request.url.isRespelled, let head = movedHead else { return actions }
            let response = LoadResponse(url: loader.request.url, head: head)
            return [.tell(.redirect(to: loader.request, from: response))] + actions
        }
    ]

    /// As no server has sent it.
    private static let movedHead: ReplyHead? = {
        var reader = ReplyReader()
        reader.expectReply(to: Array("GET".utf8))
        var offset = 0
        let bytes = Array("HTTP/1.1 301 Moved Permanently\r\nContent-Length: 0\r\n\r\n".utf8)
        guard case .head(let head)? = reader.next(bytes.span, at: &offset) else { return nil }
        return head
    }()
}

internal import ProctorBase
import ProctorHTML
import ProctorHTTP
internal import ProctorReplies
import ProctorServer

/// The style sheets and scripts of pages, for everybody: they contain nothing of a run.
enum ServedAssets {
    static let prefix = "\(ControlCall.prefix)/assets/"

    /// The reply to a request for a path below ``prefix``; nil for other paths.
    static func reply(to head: RequestHead, at path: ArraySlice<UInt8>) -> BuiltInReply? {
        guard path.starts(with: prefix.utf8) else { return nil }
        let name = String(decoding: path.dropFirst(prefix.utf8.count), as: UTF8.self)
        guard let asset = PageAsset.all[name] else {
            return BuiltInReply(status: 404, body: "no page uses \(EscapedText.escape(path, limit: 300))\n")
        }
        let known = EntityTagList(head.fields.values(named: "If-None-Match").map { Array($0) })
        let tag = EntityTag(opaque: asset.entityTag.utf8)
        let isKnown = tag.map { known.weaklyMatches($0) } ?? false
        var reply =
            isKnown
            ? BuiltInReply(status: 304, body: "")
            : BuiltInReply(status: 200, contentType: asset.contentType, bytes: asset.bytes)
        // Asked again each time: another build of the server has other scripts.
        reply.cacheControl = "no-cache"
        reply.fields.append(("ETag", "\"\(asset.entityTag)\""))
        return reply
    }
}

internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension Answering {
    /// Hands a stream over, or what the program wants instead.
    func answerBodyStream(_ handler: @escaping @Sendable (InputStream?) -> Void) {
        switch role.step?.onBodyStream ?? "none" {
        case "fresh":
            let body = BodySource(role.step?.body)
            let isPair = role.step?.bodyForm == "bound-pair"
            answer("stream", to: .needBodyStream) { handler(isPair ? body.boundStream() : body.stream()) }
        case "none": answer("none", to: .needBodyStream) { handler(nil) }
        case "never": break
        case let other:
            unimplemented("onBodyStream: \(other)")
            answer("none", to: .needBodyStream) { handler(nil) }
        }
    }

    /// Says what becomes of a response.
    func answerResponse(_ handler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void) {
        switch role.step?.onResponse ?? "allow" {
        case "allow": answer("allow", to: .response) { handler(.allow) }
        case "cancel": answer("cancel", to: .response) { handler(.cancel) }
        case "becomeDownload": answer("becomeDownload", to: .response) { handler(.download) }
        #if canImport(Darwin)
            case "becomeStream": answer("becomeStream", to: .response) { handler(.becomeStream) }
        #endif
        case "never": break
        case let other:
            unimplemented("onResponse: \(other)")
            answer("allow", to: .response) { handler(.allow) }
        }
    }

    /// Says whether a response is stored.
    func answerWillCache(
        _ proposed: CachedURLResponse, _ handler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        if role.step?.onWillCache == "none" {
            answer("none", to: .willCache) { handler(nil) }
        } else {
            answer("store", to: .willCache) { handler(proposed) }
        }
    }
}

extension URLSession.ResponseDisposition {
    /// `becomeDownload`, which Foundation on Linux marks as deprecated because it ignores it; what it does is looked at here.
    static var download: Self {
        #if canImport(Darwin)
            .becomeDownload
        #else
            Self(rawValue: 2) ?? .allow
        #endif
    }
}

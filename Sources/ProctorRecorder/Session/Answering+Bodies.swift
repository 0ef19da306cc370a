internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension Answering {
    /// Hands a stream over, or what the program wants instead.
    func answerBodyStream(_ handler: @escaping @Sendable (InputStream?) -> Void) {
        let body = BodySource(role.step?.body)
        let isPair = role.step?.bodyForm == "bound-pair"
        carryOut(role.step?.bodyStreamPlan ?? [.answer("none")], to: .needBodyStream) { word in
            handler(word == "none" ? nil : isPair ? body.boundStream() : body.stream())
        }
    }

    /// Says what becomes of a response.
    func answerResponse(_ handler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void) {
        var plan = role.step?.responsePlan ?? [.answer("allow")]
        #if !canImport(Darwin)
            if plan == [.answer("becomeStream")] {
                plan = [.unimplemented("onResponse: becomeStream"), .answer("allow")]
            }
        #endif
        carryOut(plan, to: .response) { word in
            switch word {
            case "cancel": handler(.cancel)
            case "becomeDownload": handler(.download)
            #if canImport(Darwin)
                case "becomeStream": handler(.becomeStream)
            #endif
            default: handler(.allow)
            }
        }
    }

    /// Says whether a response is stored.
    func answerWillCache(
        _ proposed: CachedURLResponse, _ handler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        carryOut(role.step?.willCachePlan ?? [.answer("store")], to: .willCache) { word in
            handler(word == "none" ? nil : proposed)
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

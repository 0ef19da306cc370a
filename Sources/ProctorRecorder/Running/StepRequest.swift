internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A step as a request, without the body where the task brings it.
enum StepRequest {
    /// nil when the URL is none for Foundation.
    static func make(_ step: Assignment.Step) -> URLRequest? {
        guard let url = URL(string: step.url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = step.method
        request.mainDocumentURL = url
        var names: Set<String> = []
        for header in step.headers where header.count == 2 {
            // The first of a name replaces what Foundation may have set, the others are more of it.
            if names.insert(header[0].lowercased()).inserted {
                request.setValue(header[1], forHTTPHeaderField: header[0])
            } else {
                request.addValue(header[1], forHTTPHeaderField: header[0])
            }
        }
        if let timeout = step.timeout { request.timeoutInterval = seconds(timeout) }
        if let policy = step.cachePolicy.flatMap(cachePolicy) { request.cachePolicy = policy }
        return request
    }

    /// Milliseconds as URLSession can use them: on Linux only whole seconds work, and 0 is none.
    static func seconds(_ milliseconds: Int) -> TimeInterval {
        let seconds = Double(max(1, milliseconds)) / 1000
        #if canImport(Darwin)
            return seconds
        #else
            return seconds.rounded(.up)
        #endif
    }

    static func cachePolicy(_ word: String) -> URLRequest.CachePolicy? {
        switch word {
        case "protocol": .useProtocolCachePolicy
        case "reload": .reloadIgnoringLocalCacheData
        case "cache-else-load": .returnCacheDataElseLoad
        case "cache-only": .returnCacheDataDontLoad
        default: nil
        }
    }
}

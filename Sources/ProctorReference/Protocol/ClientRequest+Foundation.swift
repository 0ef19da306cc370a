internal import Foundation
internal import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension ClientRequest {
    /// Takes a stream to be read once; one that somebody has opened already can't be had again (R22).
    init(_ request: URLRequest, ownSchemes: Set<String> = []) throws(LoadError) {
        self.init(
            method: request.httpMethod ?? "GET", typed: request.url?.absoluteString ?? "", ownSchemes: ownSchemes)
        if let urlFault { throw LoadError(urlFault) }
        // Foundation keeps them in no order; one is as good as another.
        fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { HTTPField($0.key, $0.value) }
        handlesCookies = request.httpShouldHandleCookies
        // What can't be read is no document.
        mainDocument = request.mainDocumentURL.flatMap { url in
            try? ClientURL(typed: url.absoluteString, ownSchemes: ownSchemes)
        }
        if let stream = request.httpBodyStream {
            guard stream.streamStatus == .notOpen else {
                throw LoadError(
                    .requestBodyStreamExhausted,
                    "the body stream of \(method) \(url) was read before and can't be had again; give a new one")
            }
            let length = fields.value(of: "Content-Length").flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
            body = .stream(BodyStream(reading: stream, byteCount: length))
        } else if let data = request.httpBody {
            body = .bytes([UInt8](data))
        }
    }
}

extension URLRequest {
    /// This one as a redirect changes it: URL, method, fields, and no body where that does not go along.
    ///
    /// A stream goes along as it is, read already: whoever loads the request finds that it can't be had again.
    func redirected(to next: ClientRequest) -> URLRequest {
        var request = self
        request.url = URL(string: next.url.text) ?? url
        request.httpMethod = next.method
        for name in (allHTTPHeaderFields ?? [:]).keys { request.setValue(nil, forHTTPHeaderField: name) }
        for field in next.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        if next.body == .none {
            request.httpBodyStream = nil
            request.httpBody = nil
        }
        return request
    }

    /// Nanoseconds without activity; Foundation takes 0 for its default.
    var idleLimit: UInt64 {
        let seconds = timeoutInterval > 0 ? timeoutInterval : 60
        return seconds < 9e9 ? UInt64(seconds * 1e9) : .max
    }
}

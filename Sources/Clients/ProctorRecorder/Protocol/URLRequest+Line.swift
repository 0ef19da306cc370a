#if canImport(FoundationNetworking)
    internal import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension URLRequest {
    /// Method and URL, as facts write a request.
    package var line: String { "\(httpMethod ?? "GET") \(url?.absoluteString ?? "")" }

    /// The first difference from another request, in words; nil when both are equal.
    func difference(from other: URLRequest) -> String? {
        if url?.absoluteString != other.url?.absoluteString {
            return "URL \(quotedOrNone(other.url?.absoluteString)) became \(quotedOrNone(url?.absoluteString))"
        }
        if httpMethod != other.httpMethod {
            return "method \(quotedOrNone(other.httpMethod)) became \(quotedOrNone(httpMethod))"
        }
        let ours = fieldsByLowerCase
        let theirs = other.fieldsByLowerCase
        for name in Set(ours.keys).union(theirs.keys).sorted() where ours[name] != theirs[name] {
            return "field \"\(name)\" \(quotedOrNone(theirs[name])) became \(quotedOrNone(ours[name]))"
        }
        if httpBody != other.httpBody { return "the body changed" }
        if (httpBodyStream == nil) != (other.httpBodyStream == nil) { return "the body stream came or went" }
        if cachePolicy != other.cachePolicy { return "the cache policy changed" }
        if timeoutInterval != other.timeoutInterval { return "the time-out changed" }
        return nil
    }

    private var fieldsByLowerCase: [String: String] {
        Dictionary((allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }
}

func quotedOrNone(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "none" }

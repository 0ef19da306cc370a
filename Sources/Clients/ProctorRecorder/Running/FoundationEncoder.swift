internal import Foundation
internal import ProctorProgram

struct FoundationEncoder: ValueEncoder {
    /// A query as Foundation encodes it: `+` is not escaped, which RFC 3986 permits in a query.
    func query(_ pairs: [[String]]) -> String {
        var components = URLComponents()
        components.queryItems = pairs.filter { $0.count == 2 }.map { URLQueryItem(name: $0[0], value: $0[1]) }
        return components.percentEncodedQuery ?? ""
    }

    /// A form in the same encoding, with `+` escaped, since `+` in a form means a space; a space is `%20` here.
    func form(_ pairs: [[String]]) -> String {
        query(pairs).split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B")
    }
}

internal import Foundation
internal import ProctorProgram

/// Encodes values by URLComponents, the encoder that Foundation has.
struct FoundationEncoder: ValueEncoder {
    /// As Foundation leaves it: with `+` as it stands, which RFC 3986 allows in a query.
    func query(_ pairs: [[String]]) -> String {
        var components = URLComponents()
        components.queryItems = pairs.filter { $0.count == 2 }.map { URLQueryItem(name: $0[0], value: $0[1]) }
        return components.percentEncodedQuery ?? ""
    }

    /// The same with `+` escaped, since a form has it for a space; a space is `%20` here.
    func form(_ pairs: [[String]]) -> String {
        query(pairs).split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B")
    }
}

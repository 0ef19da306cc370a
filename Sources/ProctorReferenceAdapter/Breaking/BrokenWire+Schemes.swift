internal import Foundation
internal import ProctorHTTP
internal import ProctorReference

/// Basic (RFC 7617 §2) and Bearer (RFC 6750 §2.1).
extension BrokenWire {
    static let otherSchemes: [BrokenWire] = [
        credential("basic-without-padding", "leave the padding of Base64 out", of: "basic", says: .malformedBase64) {
            value in
            String(value.reversed().drop { $0 == "=" }.reversed())
        },
        credential("basic-in-the-clear", "send user and password as they are", of: "basic", says: .malformedBase64) {
            value in
            guard let encoded = value.split(separator: " ").last, let decoded = Data(base64Encoded: String(encoded))
            else { return value }
            return "Basic \(String(decoding: decoded, as: UTF8.self))"
        },
        credential("bearer-under-another-name", "send the token as of scheme Token", of: "bearer", says: .wrongScheme) {
            value in
            "Token" + value.drop { $0 != " " }
        },
        sending("credential-sent-twice", "send the field a second time", says: .severalFields, keeping: ()) {
            request, _ in
            guard let value = request.fields.value(of: "Authorization") else { return }
            request.fields.append(HTTPField("Authorization", value))
        },
    ]
}

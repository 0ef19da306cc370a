internal import ProctorHTTP
internal import ProctorReference

/// Right credentials for somebody else (RFC 9110 §11.4, §11.7).
extension BrokenWire {
    static let places: [BrokenWire] = [
        sending(
            "credential-follows-the-redirect", "send the credential of one origin to the next", says: .unknownUser,
            keeping: String?.none
        ) { request, sent in
            if let value = request.fields.value(of: "Authorization") {
                sent = value
            } else if let sent {
                request.fields.set("Authorization", to: sent)
            }
        },
        sending(
            "proxy-credential-to-the-origin", "send the proxy's credential to the origin as well", says: .unknownUser,
            keeping: ()
        ) { request, _ in
            guard let value = request.fields.value(of: "Proxy-Authorization"),
                !request.fields.contains(named: "Authorization")
            else { return }
            request.fields.set("Authorization", to: value)
        },
        sending(
            "proxy-credential-in-the-other-field", "answer a proxy in the field of origins", says: nil, keeping: ()
        ) { request, _ in
            guard let value = request.fields.value(of: "Proxy-Authorization") else { return }
            request.fields.removeAll(named: "Proxy-Authorization")
            request.fields.set("Authorization", to: value)
        },
    ]
}

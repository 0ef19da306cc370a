internal import ProctorReference

/// What a server sees of a client that keeps or sends cookies wrongly (RFC 6265 §5).
extension BrokenWire {
    static let cookies: [BrokenWire] = [
        cookies(
            "cookies-end-at-a-redirect", "send no cookies with a request that follows a redirect", .forgottenByRedirects
        ),
        cookies(
            "cookies-of-a-whole-site", "send every cookie to the hosts beside its own, too", .sentToSiblings),
        cookies("cookies-live-for-ever", "take no notice of Expires and Max-Age", .neverExpires),
        cookies("secure-cookies-in-the-clear", "send cookies that say Secure over http", .sentInTheClear),
        cookies("cookies-to-every-path", "take no notice of the path of cookies", .sentToEveryPath),
        cookies("cookies-last-first", "send the cookies in the wrong order", .orderReversed),
        cookies("set-cookie-joined-by-commas", "join several Set-Cookie fields before reading them", .foldedByCommas),
        cookies("one-field-for-each-cookie", "send a Cookie field for each cookie", .oneFieldEach),
        cookies(
            "cookies-of-success-alone", "take no cookies from a reply that is no success", .takenFromSuccessAlone),
    ]

    private static func cookies(_ label: String, _ name: String, _ fault: CookieFault) -> BrokenWire {
        var breakage = Breakage(label, name)
        breakage.cookieFault = fault
        return BrokenWire(fault: nil, breakage: breakage)
    }
}

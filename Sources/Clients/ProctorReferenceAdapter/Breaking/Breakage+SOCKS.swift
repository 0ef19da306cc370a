internal import ProctorReference
internal import ProctorSOCKS

extension Breakage {
    // MARK: Proxies of SOCKS (RFC 1928, RFC 1929)

    static let socks: [Breakage] = [
        .wrong("socks-code-ignored", "go on whatever a proxy of SOCKS replies", transport: .socks(.ignoresCode)),
        .wrong(
            "socks-unacceptable-ignored", "go on where no method is acceptable to a proxy of SOCKS",
            transport: .socks(.ignoresUnacceptable)),
        .wrong(
            "socks-refusal-ignored", "go on where a proxy of SOCKS refuses the user",
            transport: .socks(.ignoresRefusedLogin)),
        .wrong("socks-no-password", "offer no user to a proxy of SOCKS", transport: .socks(.offersNoPassword)),
        .wrong("socks-looks-up", "look up a name that the proxy is to look up", transport: .socks(.looksUpNames)),
        .wrong(
            "socks-sends-names", "leave a name to the proxy that is to be looked up", transport: .socks(.sendsNames)),
        .wrong("socks-forgets-user", "say no user to a proxy of SOCKS 4", transport: .socks(.forgetsUser)),
        .wrong("socks-reserved", "write a reserved byte that is not 0", transport: .socks(.reservedNotZero)),
        .wrong(
            "socks-login-version", "write version 5 in front of user and password", transport: .socks(.loginVersion5)),
        .wrong("socks-goes-straight", "go to the server without the proxy of SOCKS", transport: .socks(.goesStraight)),
    ]
}

// What a client of a SOCKS proxy says before its tunnel.
extension JournalTable {
    static let socksGreeting: JournalShape<(methods: [String], selected: String), JournalEvent> = JournalShape(
        named: "socksGreeting", says: "methods were offered, and one was selected",
        fields: JournalKey.texts(
            "methods", says: "in its order: `none`, `gssapi`, `password`, or the number", of: \.methods),
        JournalKey.text("selected", says: "the same, or `unacceptable`", of: \.selected)
    ) { .socks(SOCKSNote(.greeting(methods: $0, selected: $1))) }

    static let socksLogin: JournalShape<(user: String, isAccepted: Bool), JournalEvent> = JournalShape(
        named: "socksLogin", says: "user and password have come (RFC 1929)",
        fields: JournalKey.text("user", says: "the user", of: \.user),
        JournalKey.flag("isAccepted", says: "the proxy has this user with this password", of: \.isAccepted)
    ) { .socks(SOCKSNote(.login(user: $0, isAccepted: $1))) }

    static let socksRequest: JournalShape<SOCKSRequestNote, JournalEvent> = JournalShape(
        named: "socksRequest",
        says:
            "a request of SOCKS has come whole; behind CONNECT stands a `requestHead`",
        fields: JournalKey<SOCKSRequestNote>.text("version", says: "`SOCKS4`, `SOCKS4a` or `SOCKS5`", of: \.version),
        JournalKey<SOCKSRequestNote>.text(
            "command", says: "`connect`, `bind`, `udp-associate`, or the number; all but `connect` are refused",
            of: \.command),
        JournalKey<SOCKSRequestNote>.text(
            "addressType",
            says: "`name`, which the proxy looks up, `ipv4` or `ipv6`",
            of: \.addressType), JournalKey<SOCKSRequestNote>.text("host", says: "the name or the address", of: \.host),
        JournalKey<SOCKSRequestNote>.integer("port", says: "the port", of: \.port),
        JournalKey<SOCKSRequestNote>.text("user", says: "the user", when: "of SOCKS 4 and 4a", of: \.user)
    ) { version, command, addressType, host, port, user in
        .socks(
            SOCKSNote(
                .request(
                    SOCKSRequestNote(
                        version: version, command: command, addressType: addressType, host: host, port: port, user: user
                    ))))
    }

    static let socksViolation: JournalShape<SOCKSViolationNote, JournalEvent> = JournalShape(
        named: "socksViolation", says: "a departure of the client from the documents of SOCKS",
        fields: JournalKey<SOCKSViolationNote>.text("kind", says: "its name", of: \.kind),
        JournalKey<SOCKSViolationNote>.integer(
            "offset", says: "in bytes of the connection", of: \.offset),
        JournalKey<SOCKSViolationNote>.flag("isFatal", says: "nothing more is read", of: \.isFatal),
        JournalKey<SOCKSViolationNote>.text("section", says: "of the document", of: \.section),
        JournalKey<SOCKSViolationNote>.text("sentence", says: "what is wrong, for a person", of: \.sentence)
    ) {
        .socks(SOCKSNote(.violation(SOCKSViolationNote(kind: $0, offset: $1, isFatal: $2, section: $3, sentence: $4))))
    }
}

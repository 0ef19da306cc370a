// What a client of a SOCKS proxy says before its tunnel.
extension JournalTable {
    static let socksGreeting: Event<(methods: [String], selected: String)> = Event("socksGreeting") {
        Key("methods", .list(.text), \.methods)
        Key("selected", .text, \.selected)
    } make: {
        .socks(SOCKSNote(.greeting(methods: $0, selected: $1)))
    }

    static let socksLogin: Event<(user: String, isAccepted: Bool)> = Event("socksLogin") {
        Key("user", .text, \.user)
        Key("isAccepted", .flag, \.isAccepted)
    } make: {
        .socks(SOCKSNote(.login(user: $0, isAccepted: $1)))
    }

    static let socksRequest: Event<SOCKSRequestNote> = Event("socksRequest") {
        Key("version", .text, \.version)
        Key("command", .text, \.command)
        Key("addressType", .text, \.addressType)
        Key("host", .text, \.host)
        Key("port", .number, \.port)
        Key("user", .text, ifAny: \.user)
    } make: { version, command, addressType, host, port, user in
        .socks(
            SOCKSNote(
                .request(
                    SOCKSRequestNote(
                        version: version, command: command, addressType: addressType, host: host, port: port, user: user
                    ))))
    }

    static let socksViolation: Event<(violation: ViolationNote, isFatal: Bool)> = Event("socksViolation") {
        Key("kind", .text, \.violation.kind)
        Key("offset", .number, \.violation.offset)
        Key("isFatal", .flag, \.isFatal)
        Key("section", .text, \.violation.section)
        Key("sentence", .text, \.violation.sentence)
    } make: { kind, offset, isFatal, section, sentence in
        let violation = ViolationNote(kind: kind, offset: offset, section: section, sentence: sentence)
        return .socks(SOCKSNote(.violation(violation, isFatal: isFatal)))
    }
}

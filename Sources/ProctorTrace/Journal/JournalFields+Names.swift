import ProctorHTTP

// What the journal says of names, proxies and cookies, read back.
extension JournalFields {
    /// nil for an event that is none of these.
    func namingEvent(named name: String) throws(LineFault) -> JournalEvent? {
        switch name {
        case "routed": .routed(origin: try text("origin"), by: try choice("by"))
        case "tunnelOpened":
            .tunnelOpened(
                authority: try text("authority"), origin: try text("origin"),
                connection: try integer("tunnelConnection"))
        case "cookiesSet": .cookiesSet(try objects("cookies").map { fields throws(LineFault) in try fields.note() })
        case "cookiesJudged": .cookiesJudged(try cookieVerdict())
        default: nil
        }
    }

    private func note() throws(LineFault) -> SetCookieNote {
        let revised: SetCookieNote.Outcome? = has("revisedOutcome") ? try choice("revisedOutcome") : nil
        return SetCookieNote(
            field: try bytes("field"), outcome: try choice("outcome"), revisedOutcome: revised,
            remarks: try texts("remarks"))
    }

    private func cookieVerdict() throws(LineFault) -> CookieVerdict {
        CookieVerdict(
            sent: try list("sent").map { tree throws(LineFault) in try Self.bytes(tree, "sent") },
            expected: try expectedCookies(),
            conformsTo: try texts("conformsTo").map { word throws(LineFault) in
                guard let edition = CookieEdition(rawValue: word) else { throw Self.unknown(word, "conformsTo") }
                return edition
            },
            differences: try cookieDifferences(), undecidedCount: has("undecided") ? try integer("undecided") : 0,
            otherwise: has("otherwise") ? try object("otherwise").cookieReading() : nil)
    }

    private func cookieReading() throws(LineFault) -> CookieReading {
        CookieReading(
            try choice("edition"), expected: try expectedCookies(), differences: try cookieDifferences())
    }

    private func expectedCookies() throws(LineFault) -> [UInt8]? {
        has("expected") || has("expectedBase64") ? try bytes("expected") : nil
    }

    private func cookieDifferences() throws(LineFault) -> [CookieDifference] {
        try objects("differences").map { fields throws(LineFault) in
            CookieDifference(
                try fields.choice("kind"), try fields.bytes("name"), try fields.text("sentence"),
                section: try fields.text("section"))
        }
    }

    private func object(_ key: String) throws(LineFault) -> JournalFields {
        guard case .object(let members) = try member(key) else { throw LineFault(0, "'\(key)' is an object") }
        return JournalFields(members)
    }

    private func objects(_ key: String) throws(LineFault) -> [JournalFields] {
        try list(key).map { tree throws(LineFault) in
            guard case .object(let members) = tree else { throw LineFault(0, "'\(key)' is a list of objects") }
            return JournalFields(members)
        }
    }
}

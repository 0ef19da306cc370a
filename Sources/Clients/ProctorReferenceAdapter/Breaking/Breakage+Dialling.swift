internal import ProctorDialling
internal import ProctorReference

extension Breakage {
    // MARK: Addresses of a name (RFC 8305), DNS (RFC 1035, RFC 5452) and HTTPS records (RFC 9460)

    static let dialling: [Breakage] = [
        .wrong("address-first-alone", "try no second address of a name", .firstAddressAlone),
        .wrong("address-one-after-the-other", "try one address after the other", .waitsForSilence),
        .wrong("address-one-family-first", "try one family before the other", .oneFamilyFirst),
        .wrong("address-ipv4-first", "prefer IPv4 to IPv6", .ipv4First),
        .wrong("address-waits-for-all", "wait for every answer of DNS", .waitsForAllAnswers),
        .wrong("dns-any-id", "take a reply with another id", .takesAnyID),
        .wrong("dns-any-question", "take a reply to another question", .takesAnyQuestion),
        .wrong("dns-any-sender", "take a reply from another port", .takesAnySender),
        .wrong("dns-truncated", "take the records of a truncated reply", .takesTruncated),
        .wrong("dns-asks-once", "ask a silent server once", .asksOnce),
        .wrong("dns-no-aliases", "follow no CNAME record", .ignoresAliases),
        .wrong("https-record-last", "prefer the last HTTPS record", .highestPriority),
        .wrong("https-record-port", "ignore the port of an HTTPS record", .ignoresServicePort),
        .wrong(
            "https-record-mandatory", "use a record with unknown mandatory keys", .ignoresMandatory),
    ]

    private static func wrong(_ label: String, _ name: String, _ fault: DiallingFault) -> Breakage {
        .wrong(label, name, transport: .dialling(fault))
    }
}

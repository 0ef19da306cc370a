import ProctorBase

extension FactName {
    package enum SOCKSFact: String, GroupedFact {
        /// `SOCKS4`, `SOCKS4a` or `SOCKS5`, as the greeting or the request says.
        case version
        /// The offered methods in order, and the selected one.
        case methods, method
        /// The user of RFC 1929 or of SOCKS 4, and whether it was `accepted` or `refused`.
        case user, login
        case command
        /// `name`, `ipv4` or `ipv6`.
        case addressType = "address-type"
        case host, port
        case violations

        package var row: FactRow {
            switch self {
            case .version:
                FactRow(
                    "the version of $",
                    .word(FactWords("version", of: "SOCKS", SOCKSProxying.slot.part?.versions ?? [])))
            case .methods: FactRow("the methods that the client offers in $", .list)
            case .method: FactRow("the method that is selected in $")
            case .user: FactRow("the user of $")
            case .login:
                FactRow(
                    "what came of the user and password of $",
                    .word(FactWords("end", of: "a login", ["accepted", "refused"])))
            case .command: FactRow("the command of $")
            case .addressType:
                FactRow(
                    "the type of the address of $",
                    .word(FactWords("type", of: "an address", ["name", "ipv4", "ipv6"])))
            case .host: FactRow("the host of $")
            case .port: FactRow("the port of $")
            case .violations:
                FactRow(
                    "the violations of $",
                    .kinds(FactWords("violation", of: "SOCKS", TableCells.kinds(of: "socks-violations"))))
            }
        }
    }
}

import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorLoop
import ProctorScenario
import ProctorServer
import ProctorServing

/// Lines of a block `server`, such as `token secret`, `tls` and `http2`.
struct ServerWords {
    /// The scenario of the row's run; nil: there is none.
    var playedID: String?
    /// The seed by which replies of the run are cut.
    private(set) var reslice: UInt64?
    private(set) var wantedProtocol = ApplicationProtocol.http11

    init(playedID: String?) { self.playedID = playedID }

    mutating func apply(
        _ line: String, at number: Int, to configuration: inout ServerConfiguration, firstID: String
    ) throws(RowError) {
        let words = line.split(separator: " ").map(String.init)
        let value = words.count > 1 ? words[1] : nil
        switch (words.first, value) {
        case ("run", nil): playedID = firstID
        case ("run", "h2"): (playedID, wantedProtocol) = (firstID, .h2)
        case ("run", let id?): playedID = id
        case ("reslice", let seed?): reslice = UInt64(seed)
        case ("token", let token?): configuration.token = token
        case ("allowed-origin", let origin?): configuration.allowedOrigins.insert(origin)
        case ("pages-host", let host?): configuration.pagesHost = host
        case ("address", let host?): configuration.address = .ipv4(host: host, port: 0)
        case ("root", let id?): configuration.rootScenarios.append(id)
        case ("pack", let prefix?): configuration.packs.append(prefix)
        case ("one-address", nil): configuration.givesRunsAddresses = false
        case ("counts-faults", nil): configuration.faults = ClientFaults()
        case ("http2", nil): configuration.speaksHTTP2 = true
        case ("tls", nil): configuration.tlsAddress = .ipv4(host: "127.0.0.1", port: 0)
        case ("threads", let count?): configuration.threadCount = Int(count) ?? 1
        case ("seed", let seed?): configuration.seed = UInt64(seed)
        default:
            throw RowError(
                number,
                "unknown setting \"\(line)\"; settings are run, run h2, run ID, reslice N, token T, allowed-origin URL, pages-host H, "
                    + "address H, root ID, pack PREFIX, one-address, counts-faults, http2, tls, threads N, seed N")
        }
    }
}

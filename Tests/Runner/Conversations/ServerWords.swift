import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorLoop
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTLS

/// Lines of a block `server`, such as `token secret`, `tls` and `http2`.
struct ServerWords {
    /// The scenario of the row's run; nil: there is none.
    var playedID: String?
    /// The seed by which replies of the run are cut.
    private(set) var recutting: Recutting?
    private(set) var wantedProtocol = RunProtocol.http11
    /// Of the row's run; nil: it has none.
    private(set) var bounds: RunBounds?
    /// Whether the files of the row are the book, or scenarios that are read when they are first asked for.
    private(set) var (hasBook, readsLate) = (false, false)

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
        case ("reslice", let seed?): recutting = UInt64(seed).map { .often(seed: $0) }
        case ("segments", let seed?): recutting = UInt64(seed).map { .once(seed: $0) }
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
        case ("authority", let folder?): configuration.authority = .folder(folder)
        case ("threads", let count?): configuration.threadCount = Int(count) ?? 1
        case ("seed", let seed?): configuration.seed = UInt64(seed)
        case ("book", nil): hasBook = true
        case ("late", nil): readsLate = true
        case ("bound", let name?): bounds = try bound(name, words.count > 2 ? Int(words[2]) : nil, at: number)
        default:
            throw RowError(
                number,
                "unknown setting \"\(line)\"; settings are run, run h2, run ID, reslice N, segments N, token T, allowed-origin URL, "
                    + "pages-host H, address H, root ID, pack PREFIX, one-address, counts-faults, http2, tls, "
                    + "authority FOLDER, threads N, seed N, book, late, bound requests N"
            )
        }
    }

    private func bound(_ name: String, _ count: Int?, at number: Int) throws(RowError) -> RunBounds {
        var bounds = bounds ?? RunBounds()
        guard let count else { throw RowError(number, "a bound has a number: bound requests 50") }
        switch name {
        case "requests": bounds.requestCount = count
        case "connections": bounds.connectionCount = count
        case "refusals": bounds.refusalCount = count
        default: throw RowError(number, "unknown bound \"\(name)\"; bounds are requests, connections, refusals")
        }
        return bounds
    }
}

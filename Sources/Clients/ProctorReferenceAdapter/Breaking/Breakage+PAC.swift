extension Breakage {
    /// Wrong readings of what an auto-configuration file answers.
    static let pac: [Breakage] = [
        .setting("pac-goes-directly", "ask no proxy, whatever a file of proxies answers") {
            $0.routeFault = .goesDirectly
        },
        .setting("pac-last-way-first", "try the last way of a file of proxies first") { $0.routeFault = .reversesWays },
        .setting("pac-first-way-alone", "forget all ways of a file of proxies but the first") {
            $0.routeFault = .triesFirstAlone
        },
    ]
}

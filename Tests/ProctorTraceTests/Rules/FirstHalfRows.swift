@testable import ProctorTrace

extension RuleTable {
    /// R1 to R33, then what was observed of corelibs 6.3.1.
    static let firstHalf: [RuleRow] =
        shapeRows + refusedRedirectRows + authenticationRows + abandonedRows + legacyRows + proxyRows + wireRows
        + tlsRows + requestBodyRows
        + responseRows + dispositionRows + consequenceRows + corelibsRows + corelibsUploadRows
}

extension Platform {
    /// The neutral platform with some switches set.
    static func with(_ change: (inout Platform) -> Void) -> Platform {
        var platform = Platform.neutral
        change(&platform)
        return platform
    }

    static let followsTwenty = with { $0.redirectLimit = 20 }
    static let resends = with { $0.redirectBody = .resent }
    static let strips = with { $0.redirectBody = .stripped }
    static let restartsTotals = with { $0.uploadTotals = .restart }
    static let goesOnCounting = with { $0.uploadTotals = .cumulative }
    static let deliversRefused = with { $0.refusedDownloadRedirect = .deliver }
}

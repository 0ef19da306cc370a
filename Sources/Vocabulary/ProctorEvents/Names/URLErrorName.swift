/// The short names that traces and expectations give to errors, instead of a domain and a number.
package enum URLErrorName {
    package static let domain = "NSURLErrorDomain"

    package static let success = "ok"

    /// A short name, or `DOMAIN#CODE` for an error without one.
    package static func name(domain: String, code: Int) -> String {
        if domain == self.domain, let name = byCode[code] { return name }
        return "\(domain)#\(code)"
    }

    /// The error of a short name, of Foundation's own name or of `DOMAIN#CODE`; nil for `ok` and for unknown names.
    package static func code(named name: String) -> (domain: String, code: Int)? {
        if let code = byName[name] { return (domain, code) }
        guard let mark = name.lastIndex(of: "#"), mark != name.startIndex,
            let code = Int(name[name.index(after: mark)...])
        else { return nil }
        return (String(name[..<mark]), code)
    }

    package static let names: [String] = table.map(\.name)

    private struct Row: Sendable {
        let code: Int
        let name: String
        /// Foundation's own name, where it differs.
        let other: String?

        init(_ code: Int, _ name: String, or other: String? = nil) {
            self.code = code
            self.name = name
            self.other = other
        }
    }

    private static let table: [Row] = [
        Row(-1, "unknown"),
        Row(-995, "backgroundSessionRequiresSharedContainer"),
        Row(-996, "backgroundSessionInUseByAnotherProcess"),
        Row(-997, "backgroundSessionWasDisconnected"),
        Row(-999, "cancelled"),
        Row(-1000, "badURL"),
        Row(-1001, "timedOut"),
        Row(-1002, "unsupportedURL"),
        Row(-1003, "cannotFindHost"),
        Row(-1004, "cannotConnect", or: "cannotConnectToHost"),
        Row(-1005, "connectionLost", or: "networkConnectionLost"),
        Row(-1006, "dnsLookupFailed"),
        Row(-1007, "tooManyRedirects", or: "httpTooManyRedirects"),
        Row(-1008, "resourceUnavailable"),
        Row(-1009, "notConnected", or: "notConnectedToInternet"),
        Row(-1010, "redirectToNonExistentLocation"),
        Row(-1011, "badServerResponse"),
        Row(-1012, "userCancelledAuthentication"),
        Row(-1013, "userAuthenticationRequired"),
        Row(-1014, "zeroByteResource"),
        Row(-1015, "cannotDecodeRawData"),
        Row(-1016, "cannotDecodeContentData"),
        Row(-1017, "cannotParseResponse"),
        Row(-1018, "internationalRoamingOff"),
        Row(-1019, "callIsActive"),
        Row(-1020, "dataNotAllowed"),
        Row(-1021, "requestBodyStreamExhausted"),
        Row(-1022, "appTransportSecurityRequiresSecureConnection"),
        Row(-1100, "noFile", or: "fileDoesNotExist"),
        Row(-1101, "fileIsDirectory"),
        Row(-1102, "noPermissionsToReadFile"),
        Row(-1103, "tooLarge", or: "dataLengthExceedsMaximum"),
        Row(-1104, "fileOutsideSafeArea"),
        Row(-1200, "secureConnectionFailed"),
        Row(-1201, "serverCertificateHasBadDate"),
        Row(-1202, "serverCertificateUntrusted"),
        Row(-1203, "serverCertificateHasUnknownRoot"),
        Row(-1204, "serverCertificateNotYetValid"),
        Row(-1205, "clientCertificateRejected"),
        Row(-1206, "clientCertificateRequired"),
        Row(-2000, "cannotLoadFromNetwork"),
        Row(-3000, "cannotCreateFile"),
        Row(-3001, "cannotOpenFile"),
        Row(-3002, "cannotCloseFile"),
        Row(-3003, "cannotWriteToFile"),
        Row(-3004, "cannotRemoveFile"),
        Row(-3005, "cannotMoveFile"),
        Row(-3006, "downloadDecodingFailedMidStream"),
        Row(-3007, "downloadDecodingFailedToComplete"),
    ]

    private static let byCode = Dictionary(uniqueKeysWithValues: table.map { ($0.code, $0.name) })
    private static let byName = Dictionary(
        uniqueKeysWithValues: table.flatMap { row in [row.name, row.other].compactMap { $0 }.map { ($0, row.code) } })
}

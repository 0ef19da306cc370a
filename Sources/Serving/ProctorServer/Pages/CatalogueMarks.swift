package import ProctorHTML
package import ProctorReplies

/// The report of an exam beside the catalogue, which a module registers (``ServerConfiguration/examReport``).
package protocol CatalogueMarks: Sendable {
    /// A paragraph for the top of the catalogue.
    var introduction: HTML { get }

    /// The marks of a scenario; empty where the report has none.
    func marks(of scenario: String) -> HTML

    /// A file of the report, by its path below ``ReportPlace/prefix``; blocks while it is read.
    func reply(to page: [UInt8]) -> BuiltInReply
}

/// Where the pages of a report stand.
package enum ReportPlace {
    package static let prefix = "\(ControlCall.prefix)/report/"

    /// The part of a request's path behind the place of reports; nil for other paths.
    static func page(_ path: ArraySlice<UInt8>) -> [UInt8]? {
        path.starts(with: prefix.utf8) ? Array(path.dropFirst(prefix.utf8.count)) : nil
    }
}

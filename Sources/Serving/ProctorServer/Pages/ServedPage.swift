internal import ProctorBase
package import ProctorHTML
package import ProctorReplies

/// A page of a module, below `/__proctor/ui/NAME`, which the head of every page leads to.
package struct ServedPage: Sendable {
    package let name: String
    /// nil: no page leads to it.
    package let title: String?
    /// `path` is what stands behind the name and a slash.
    let reply:
        @Sendable (_ api: ControlAPI, _ path: String, _ query: [String: String]) async throws(ControlError)
            -> BuiltInReply

    package init(
        _ name: String, title: String,
        reply:
            @escaping @Sendable (ControlAPI, _ path: String, _ query: [String: String]) async throws(ControlError)
            -> BuiltInReply
    ) {
        (self.name, self.title, self.reply) = (name, title, reply)
    }

    /// The page itself, and what stands behind its name.
    var calls: [ControlCall] {
        ["ui/\(name)", "ui/\(name)/REST"].map { path in
            ControlCall("GET", path, for: .readers) { api in
                { request throws(ControlError) in try await reply(api, request.id, request.query) }
            }
        }
    }

    /// A page of a module that this program was built without, which is told so: `part` is the module, as "the book".
    package init(_ name: String, without part: String) {
        (self.name, title) = (name, nil)
        reply = { _, _, _ throws(ControlError) in throw .withoutModule(part) }
    }
}

extension [ServedPage] {
    /// Whether there is a book, to whose chapters pages can lead.
    package var haveBook: Bool { contains { $0.name == PageAddress.bookName && $0.title != nil } }
}

/// The addresses of pages below `/__proctor/ui/`.
package enum PageAddress {
    package static let prefix = "\(ControlCall.prefix)/ui/"
    package static let runs = prefix + "runs"
    package static let sharedPort = prefix + "shared"
    /// The name of the book's page.
    package static let bookName = "docs"

    package static func run(_ id: String) -> String { "\(runs)/\(id)" }

    /// A chapter of the book, or its contents.
    static func chapter(_ chapter: String) -> String { "\(prefix)\(bookName)/\(chapter)" }

    package static func redirect(to address: String) -> BuiltInReply {
        var reply = BuiltInReply(status: 303, body: "see \(address)\n")
        reply.fields.append(("Location", address))
        return reply
    }
}

/// What a page has between the parts that all pages share.
package struct PageContent: Sendable {
    package let main: HTML
    package let title: String
    package let status: Int
    /// Names of files below `/__proctor/assets/`.
    package let scripts: [String]
    package let styles: [String]
    package let isWide: Bool

    package init(
        _ main: HTML, title: String, status: Int = 200, scripts: [String] = [], styles: [String] = [],
        isWide: Bool = false
    ) {
        (self.main, self.title, self.status) = (main, title, status)
        (self.scripts, self.styles, self.isWide) = (scripts, styles, isWide)
    }
}

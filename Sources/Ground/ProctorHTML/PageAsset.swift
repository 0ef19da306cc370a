/// A style sheet or an ES module that pages load; the binary contains it.
package struct PageAsset: Sendable {
    package let contentType: String
    package let bytes: [UInt8]
    /// A strong entity tag without its quotes (RFC 9110 §8.8.3), computed from the bytes alone.
    package let entityTag: String

    private init(_ bytes: [UInt8], _ contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
        // The hash is FNV-1a.
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        entityTag = String(hash, radix: 16)
    }

    private static func style(_ parts: [UInt8]...) -> PageAsset {
        PageAsset(Array(parts.joined()), "text/css; charset=utf-8")
    }

    private static func script(_ bytes: [UInt8]) -> PageAsset {
        PageAsset(bytes, "text/javascript; charset=utf-8")
    }

    /// The assets by file name.
    package static let all: [String: PageAsset] = [
        "pages.css": style(PackageResources.base_css, PackageResources.tones_css, PackageResources.server_css),
        "book.css": style(PackageResources.book_css),
        "book.js": script(PackageResources.book_js),
        "dom.js": script(PackageResources.dom_js),
        "api.js": script(PackageResources.api_js),
        "actions.js": script(PackageResources.actions_js),
        "catalogue.js": script(PackageResources.catalogue_js),
        "runs.js": script(PackageResources.runs_js),
        "entries.js": script(PackageResources.entries_js),
        "lanes.js": script(PackageResources.lanes_js),
        "rows.js": script(PackageResources.rows_js),
        "details.js": script(PackageResources.details_js),
        "difference.js": script(PackageResources.difference_js),
        "curl.js": script(PackageResources.curl_js),
        "draft.js": script(PackageResources.draft_js),
        "requests.js": script(PackageResources.requests_js),
        "run.js": script(PackageResources.run_js),
    ]
}

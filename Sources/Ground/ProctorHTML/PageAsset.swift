import ProctorBase

/// A style sheet or an ES module that pages load; the binary contains it.
package struct PageAsset: Sendable {
    package let contentType: String
    package let bytes: [UInt8]
    /// A strong entity tag without its quotes (RFC 9110 §8.8.3), computed from the bytes alone.
    package let entityTag: String

    private init(_ bytes: [UInt8], _ contentType: String) {
        (self.bytes, self.contentType) = (bytes, contentType)
        // The hash is FNV-1a.
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        entityTag = String(hash, radix: 16)
    }

    private static func style(_ names: String...) -> PageAsset {
        PageAsset(names.flatMap { ContainedFile.bytes(of: "Pages/\($0).css") }, "text/css; charset=utf-8")
    }

    private static func script(_ name: String) -> PageAsset {
        PageAsset(ContainedFile.bytes(of: "Pages/\(name).js"), "text/javascript; charset=utf-8")
    }

    /// The assets by file name.
    package static let all: [String: PageAsset] = {
        let scripts = [
            "book", "dom", "api", "actions", "catalogue", "runs", "entries", "lanes", "rows", "details", "difference",
            "curl", "draft", "requests", "run", "talk", "verdicts",
        ]
        var assets = ["pages.css": style("base", "tones", "server"), "book.css": style("book")]
        for name in scripts { assets["\(name).js"] = script(name) }
        return assets
    }()
}

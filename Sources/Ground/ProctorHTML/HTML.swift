/// HTML in UTF-8: literal text is markup, interpolated values are escaped.
///
/// So text from a fixture, a client or a peer cannot add markup.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
    package private(set) var bytes: [UInt8]

    package init() { bytes = [] }

    /// Markup from the source code of this package, which is not escaped.
    init(markup: [UInt8]) { bytes = markup }

    package init(stringLiteral markup: String) { bytes = Array(markup.utf8) }

    package init(stringInterpolation: Interpolation) { bytes = stringInterpolation.bytes }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ markup: String) { bytes += markup.utf8 }

        package mutating func appendInterpolation(_ html: HTML) { bytes += html.bytes }

        package mutating func appendInterpolation(_ number: Int) { bytes += String(number).utf8 }

        package mutating func appendInterpolation(_ value: some StringProtocol) {
            for byte in value.utf8 {
                switch byte {
                case UInt8(ascii: "&"): bytes += "&amp;".utf8
                case UInt8(ascii: "<"): bytes += "&lt;".utf8
                case UInt8(ascii: ">"): bytes += "&gt;".utf8
                case UInt8(ascii: "\""): bytes += "&quot;".utf8
                case UInt8(ascii: "'"): bytes += "&#39;".utf8
                default: bytes.append(byte)
                }
            }
        }
    }

    package static func += (left: inout HTML, right: HTML) { left.bytes += right.bytes }

    package static func pair(_ name: String, _ value: String) -> HTML {
        "<dt>\(name)</dt><dd><code>\(value)</code></dd>"
    }

    /// `address` is a path or an https URL.
    package static func link(_ value: String, to address: String) -> HTML { "<a href=\"\(address)\">\(value)</a>" }

    /// `word` is the kind of a case: `must`, `should` or `observes`.
    package static func kind(_ word: String) -> HTML { "<span class=\"kind \(word)\">\(word)</span>" }

    /// A whole document with an empty icon, so that browsers request none; `head` is added after the title.
    package func document(title: String, head: HTML) -> HTML {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8">\
        <meta name="viewport" content="width=device-width, initial-scale=1">\
        <meta name="color-scheme" content="light dark">\
        <title>\(title)</title><link rel="icon" href="data:,">\(head)</head><body>
        \(self)
        </body></html>

        """
    }
}

extension Sequence {
    /// What is made of each element, one behind the other.
    package func joined(_ html: (Element) -> HTML) -> HTML { reduce(into: "") { $0 += html($1) } }
}

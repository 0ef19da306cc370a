package import ProctorHTTP

/// The value of Content-Disposition (RFC 6266).
package struct ContentDisposition: Sendable, Equatable {
    /// In lower case; every type except `inline` means `attachment` (§4.2).
    package let type: String
    package let filename: String?

    /// Reads the type and its parameters; without a type, parameters are read all the same, since many servers send
    /// that.
    package init?(_ value: [UInt8]) {
        var cursor = FieldCursor(value)
        cursor.skipBlanks()
        guard let token = cursor.takeToken() else { return nil }
        cursor.skipBlanks()
        if cursor.current == UInt8(ascii: "=") {
            // `filename="a"` without a type is read as a parameter.
            cursor = FieldCursor([UInt8(ascii: ";")] + value)
            type = "attachment"
        } else {
            type = FieldText.decode(token).lowercased()
        }
        let parameters = FieldParameters(&cursor)
        // §4.3: `filename*` has precedence if it can be read.
        filename =
            parameters["filename*"].flatMap(ExtendedValue.decode) ?? parameters["filename"].map { FieldText.decode($0) }
    }
}

/// The file name under which a reply is offered for saving.
package enum FileName {
    /// The name in Content-Disposition, else the URL's last path component, else its host, else `unknown`.
    ///
    /// Foundation's `suggestedFilename` uses the same order. A name without an extension gets that of its MIME type.
    /// The result is one file name, not empty, never a path, at most 255 bytes.
    package static func suggested(url: ClientURL, contentDisposition: [UInt8]?, mimeType: String?) -> String {
        let offered = contentDisposition.flatMap { ContentDisposition($0)?.filename }.flatMap(safe)
        let named = offered ?? lastPathComponent(of: url).flatMap(safe)
        let name = named ?? safe(url.origin.host) ?? "unknown"
        guard named.map(hasExtension) != true, let mimeType, let ending = fileExtension(ofType: mimeType) else {
            return name
        }
        return cut(name, to: longest - ending.utf8.count - 1) + "." + ending
    }

    /// The name without parts that could lead to another folder or deceive the user; nil if nothing is left.
    ///
    /// RFC 6266 §4.3: uses only the part after the last `/` or `\`, refuses `.` and `..`, removes controls and
    /// invisible format characters.
    package static func safe(_ name: String) -> String? {
        // Visible ASCII letters are what most names have.
        if name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }) {
            return accepted(name)
        }
        let scalars = name.unicodeScalars
        let start = scalars.lastIndex { $0 == "/" || $0 == "\\" }.map(scalars.index(after:)) ?? scalars.startIndex
        var kept = String.UnicodeScalarView()
        for scalar in scalars[start...] {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: continue
            default: kept.append(scalar)
            }
        }
        while let first = kept.first, first.properties.isWhitespace { kept.removeFirst() }
        while let last = kept.last, last.properties.isWhitespace { kept.removeLast() }
        return accepted(String(kept))
    }

    private static func accepted(_ name: String) -> String? {
        let text = cut(name, to: longest)
        return text.isEmpty || text == "." || text == ".." ? nil : text
    }

    /// The longest file name of most file systems, in bytes of UTF-8.
    private static let longest = 255

    /// Removes whole characters before the extension.
    private static func cut(_ name: String, to byteCount: Int) -> String {
        guard name.utf8.count > byteCount else { return name }
        var ending = hasExtension(name) ? name.suffix(from: name.lastIndex(of: ".") ?? name.endIndex) : ""
        if ending.utf8.count > 16 { ending = "" }
        var stem = name.dropLast(ending.count)
        while stem.utf8.count > byteCount - ending.utf8.count, !stem.isEmpty { stem.removeLast() }
        return String(stem + ending)
    }

    private static func lastPathComponent(of url: ClientURL) -> String? {
        url.reference.path.split(separator: UInt8(ascii: "/")).last
            .flatMap { PercentText.decode($0) }.map { FieldText.decode($0) }
    }

    /// Whether there is text before and after a dot.
    private static func hasExtension(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        return name.index(after: dot) != name.endIndex
    }
}

extension FileName {
    /// The extension without the dot, case-insensitive; nil for a type that several formats use.
    package static func fileExtension(ofType mimeType: String) -> String? { extensions[mimeType.lowercased()] }

    /// Types that only one format uses; `application/octet-stream` is left out.
    private static let extensions: [String: String] = [
        "application/gzip": "gz", "application/javascript": "js", "application/json": "json",
        "application/msword": "doc", "application/pdf": "pdf", "application/rtf": "rtf", "application/wasm": "wasm",
        "application/xhtml+xml": "xhtml", "application/xml": "xml", "application/zip": "zip", "audio/aac": "aac",
        "audio/mpeg": "mp3", "audio/ogg": "ogg", "audio/wav": "wav", "font/otf": "otf", "font/ttf": "ttf",
        "font/woff": "woff", "font/woff2": "woff2", "image/bmp": "bmp", "image/gif": "gif", "image/jpeg": "jpg",
        "image/png": "png", "image/svg+xml": "svg", "image/tiff": "tiff", "image/webp": "webp", "text/calendar": "ics",
        "text/css": "css", "text/csv": "csv", "text/html": "html", "text/javascript": "js", "text/markdown": "md",
        "text/plain": "txt", "text/vcard": "vcf", "text/xml": "xml", "video/mp4": "mp4", "video/mpeg": "mpg",
        "video/ogg": "ogv", "video/quicktime": "mov", "video/webm": "webm",
    ]
}

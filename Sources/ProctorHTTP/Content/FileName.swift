/// Under which name a reply is offered for saving.
public enum FileName {
    /// By Content-Disposition, else by the URL's last path component, else by its host, else `unknown`.
    ///
    /// The order is that of Foundation's `suggestedFilename`. A name without an extension gets that of its MIME type.
    /// The result is one file name, never a path, not empty, not hidden away in another folder, and at most 255 bytes.
    public static func suggested(url: ClientURL, contentDisposition: [UInt8]?, mimeType: String?) -> String {
        let offered = contentDisposition.flatMap { ContentDisposition($0)?.filename }.flatMap(safe)
        let named = offered ?? lastPathComponent(of: url).flatMap(safe)
        let name = named ?? safe(url.origin.host) ?? "unknown"
        // What stands behind the last dot of a host is no extension.
        guard named.map(hasExtension) != true, let mimeType, let ending = fileExtension(ofType: mimeType) else {
            return name
        }
        return cut(name, to: longest - ending.utf8.count - 1) + "." + ending
    }

    /// One component of a path, without what could lead out of a folder or deceive its reader; nil when nothing is left.
    ///
    /// RFC 6266 §4.3: only the last part behind `/` or `\` counts, `.` and `..` are none, and controls go, and with
    /// them invisible format characters, which can turn a name around.
    public static func safe(_ name: String) -> String? {
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
        let text = cut(String(kept), to: longest)
        return text.isEmpty || text == "." || text == ".." ? nil : text
    }

    /// What most file systems take for one name, in bytes of UTF-8.
    private static let longest = 255

    /// Cuts whole characters off the end of the part before the extension.
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

    /// A dot with something on both sides of it.
    private static func hasExtension(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        return name.index(after: dot) != name.endIndex
    }
}

extension FileName {
    /// The usual extension for a MIME type in whatever case, without the dot; nil for a type that says too little.
    public static func fileExtension(ofType mimeType: String) -> String? { extensions[mimeType.lowercased()] }

    /// Types that stand for one format, so that `application/octet-stream` is not among them.
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

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

/// The keys of Postman's collections, version 2.0 and 2.1.
enum PostmanKeys {
    /// `event` and `auth` are told where they stand.
    static let root = SourceKeys(
        "info item variable event auth", ignored: ["protocolProfileBehavior": "it is about the client"], extensions: "_"
    )
    static let item = SourceKeys(
        "request response item event",
        ignored: [
            "name description id uid": "they are for people", "protocolProfileBehavior": "it is about the client",
        ], extensions: "_")
    static let request = SourceKeys(
        "method url header body",
        ignored: [
            "description name": "they are for people", "proxy certificate": "they are the client's",
            "auth": "what it adds stands in the header of examples",
        ])
    static let url = SourceKeys(
        "raw protocol host path variable port", ignored: ["query hash": "raw has them"])
    static let example = SourceKeys(
        "originalRequest code status header body",
        ignored: [
            "name id uid": "they are for people", "cookie": "header has it",
            "responseTime timings": "a reply comes at once",
        ], extensions: "_")
    static let body = SourceKeys(
        "mode raw urlencoded options disabled formdata file graphql", ignored: ["description": "it is for people"])
}

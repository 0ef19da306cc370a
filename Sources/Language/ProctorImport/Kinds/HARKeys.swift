/// The keys of HTTP Archive 1.2; names that begin with an underscore are extensions, which readers ignore.
enum HARKeys {
    static let log = SourceKeys(
        "version creator browser entries",
        ignored: ["pages": "a scenario has no pages", "comment": "it is for people"], extensions: "_")
    private static let entry = SourceKeys(
        "request response time timings",
        ignored: [
            "startedDateTime": "a scenario has no clock of its own", "cache": "it is the browser's own",
            "pageref": "a scenario has no pages", "serverIPAddress connection": "the scenario has another address",
            "comment": "it is for people",
        ], extensions: "_")
    private static let request = SourceKeys(
        "method url headers postData",
        ignored: [
            "httpVersion": "a scenario answers each version", "queryString": "url has it",
            "cookies": "headers have them",
            "headersSize bodySize": "they are those of the recorder", "comment": "it is for people",
        ], extensions: "_")
    private static let posted = SourceKeys(
        "mimeType text params encoding", ignored: ["comment": "it is for people"], extensions: "_")
    private static let response = SourceKeys(
        "status statusText httpVersion headers content bodySize",
        ignored: [
            "redirectURL cookies": "headers have them", "headersSize": "it is that of the recorder",
            "comment": "it is for people",
        ], extensions: "_")
    private static let content = SourceKeys(
        "size mimeType text encoding",
        ignored: ["compression": "it is that of the recorder", "comment": "it is for people"], extensions: "_")

    static func check(_ object: SourceValue, _ remarks: inout ImportRemarks) {
        entry.check(object, "the entry", &remarks)
        request.check(object["request"], "the request", &remarks)
        posted.check(object["request"]?["postData"], "postData", &remarks)
        response.check(object["response"], "the response", &remarks)
        content.check(object["response"]?["content"], "the content", &remarks)
        if let messages = object["_webSocketMessages"], !messages.isEmpty {
            remarks.add(at: messages.place, "messages of a WebSocket are left out")
        }
    }
}

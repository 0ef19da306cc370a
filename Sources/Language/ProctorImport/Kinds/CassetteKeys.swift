/// The keys of cassettes.
enum CassetteKeys {
    static let root = SourceKeys(
        "interactions http_interactions recorded_with",
        ignored: [
            "version": "the keys tell the form", "command seed": "they are those of the program that made the requests",
        ])
    private static let interaction = SourceKeys(
        "request response",
        ignored: [
            "recorded_at recorded_with": "a reply comes at once", "id index": "the order tells it",
            "duration": "a reply comes at once",
            "status checks phase generation components": "they are what schemathesis found and why it asked",
        ])
    private static let request = SourceKeys(
        "method uri url headers body content request_body parsed_body",
        ignored: [
            "host remote_addr request_uri proto proto_major proto_minor requesturi transfer_encoding content_length trailer":
                "uri and headers have it",
            "form": "body has it", "options": "they are those of the client",
        ])
    private static let response = SourceKeys(
        "status status_code code headers body content parsed_body binary",
        ignored: [
            "http_version protocol proto proto_major proto_minor": "a scenario answers each version",
            "url type": "the request has it", "adapter_metadata": "it is that of the recorder",
            "content_length transfer_encoding uncompressed trailer": "headers have it",
            "duration elapsed curl_info": "a reply comes at once",
        ])
    private static let status = SourceKeys(
        "code message status_code", ignored: ["http_version category reason explanation": "code has it"])

    static func check(_ item: SourceValue, _ remarks: inout ImportRemarks) {
        interaction.check(item, "the interaction", &remarks)
        request.check(item["request"], "the request", &remarks)
        response.check(item["response"], "the response", &remarks)
        status.check(item["response"]?["status"], "the status", &remarks)
    }
}

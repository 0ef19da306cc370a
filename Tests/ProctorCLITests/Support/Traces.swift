/// Traces and logs that the tests of grading hand over.
enum Traces {
    /// What a client that sees its callbacks writes for `plain/hello#get`.
    static let good = """
        {"trace":"proctor","version":1,"client":"tiny","lanes":["task","harness"]}
        {"lane":"harness","ev":"resume"}
        {"lane":"task","ev":"response","arg":"200","family":"US","queue":"D"}
        {"lane":"harness","ev":"answer","arg":"allow","facts":{"to":"response"}}
        {"lane":"task","ev":"data","queue":"D","facts":{"bytes":6}}
        {"lane":"task","ev":"complete","arg":"ok","queue":"D"}
        {"lane":"harness","ev":"result","facts":{"status":200,"body":"hello\\n","bytes":6}}

        """
    /// The same with data before its response.
    static let early = """
        {"lane":"harness","ev":"resume"}
        {"lane":"task","ev":"data","family":"US"}
        {"lane":"task","ev":"response","arg":"200"}
        {"lane":"task","ev":"complete","arg":"ok"}

        """

    /// An app's own log of an NSURLConnection.
    static let connection = """
        2026-11-20 12:00:00.001 App[123:456] -[Loader connection:willSendRequest:redirectResponse:]
        2026-11-20 12:00:00.101 App[123:456] -[Loader connection:didReceiveResponse:] (200)
        2026-11-20 12:00:00.201 App[123:456] -[Loader connection:didReceiveData:]
        2026-11-20 12:00:00.301 App[123:456] -[Loader connectionDidFinishLoading:]

        """
    /// One of an NSURLDownload.
    static let download = """
        downloadDidBegin:
        download:didReceiveResponse:
        download:decideDestinationWithSuggestedFilename:
        download:didCreateDestination:
        download:didReceiveDataOfLength:
        downloadDidFinish:

        """
}

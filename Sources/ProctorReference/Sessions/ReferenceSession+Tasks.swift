internal import ProctorHTTP

// The methods that make tasks; a task does nothing before `resume()`.
//
// `timeout` is the time without activity that a task is given, in place of the configuration's.
extension ReferenceSession {
    // MARK: For delegates

    /// The request's body, if any, goes with it; a stream that was given with it is not asked for the first time (R21).
    public func dataTask(with request: ClientRequest, timeout: Duration? = nil) -> ReferenceTask {
        makeTask(.data, request, timeout: timeout, sink: .delegate)
    }

    /// `content` takes the place of the request's body, and is sent again where that is necessary (R22).
    public func uploadTask(
        with request: ClientRequest, from content: [UInt8], timeout: Duration? = nil
    ) -> ReferenceTask {
        makeTask(.upload, request.with(.bytes(content)), timeout: timeout, sink: .delegate)
    }

    /// The file is opened for each sending.
    public func uploadTask(
        with request: ClientRequest, fromFile path: String, timeout: Duration? = nil
    ) -> ReferenceTask {
        makeTask(.upload, request.with(.file(path: path)), timeout: timeout, sink: .delegate)
    }

    /// The delegate is asked for the body, each time that it is sent (R21, R22).
    public func uploadTask(withStreamedRequest request: ClientRequest, timeout: Duration? = nil) -> ReferenceTask {
        makeTask(.upload, request.with(.streamOnDemand), timeout: timeout, sink: .delegate)
    }

    /// The content goes to a file (R35).
    public func downloadTask(with request: ClientRequest, timeout: Duration? = nil) -> ReferenceTask {
        makeTask(.download, request, timeout: timeout, sink: .delegate)
    }

    /// Goes on where another download ended (R36); with resume data that was used before it fails when it is resumed.
    public func downloadTask(withResumeData data: ResumeData, timeout: Duration? = nil) -> ReferenceTask {
        makeTask(.download, data.rest, timeout: timeout, sink: .delegate, resuming: data)
    }

    // MARK: With completion handlers

    /// The handler is called once, on the session's queue, in place of response, content and end (R54).
    public func dataTask(
        with request: ClientRequest, timeout: Duration? = nil,
        completionHandler:
            @escaping @Sendable (_ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?) -> Void
    ) -> ReferenceTask {
        makeTask(.data, request, timeout: timeout, sink: .content(completionHandler))
    }

    /// As the data task with a handler.
    public func uploadTask(
        with request: ClientRequest, from content: [UInt8], timeout: Duration? = nil,
        completionHandler:
            @escaping @Sendable (_ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?) -> Void
    ) -> ReferenceTask {
        makeTask(.upload, request.with(.bytes(content)), timeout: timeout, sink: .content(completionHandler))
    }

    /// As the data task with a handler.
    public func uploadTask(
        with request: ClientRequest, fromFile path: String, timeout: Duration? = nil,
        completionHandler:
            @escaping @Sendable (_ content: [UInt8]?, _ response: LoadResponse?, _ error: LoadError?) -> Void
    ) -> ReferenceTask {
        makeTask(.upload, request.with(.file(path: path)), timeout: timeout, sink: .content(completionHandler))
    }

    /// The file is removed when the handler returns, unless it was moved away.
    public func downloadTask(
        with request: ClientRequest, timeout: Duration? = nil,
        completionHandler: @escaping @Sendable (_ path: String?, _ response: LoadResponse?, _ error: LoadError?) -> Void
    ) -> ReferenceTask {
        makeTask(.download, request, timeout: timeout, sink: .file(completionHandler))
    }

    /// As the download task with a handler; goes on where another download ended.
    public func downloadTask(
        withResumeData data: ResumeData, timeout: Duration? = nil,
        completionHandler: @escaping @Sendable (_ path: String?, _ response: LoadResponse?, _ error: LoadError?) -> Void
    ) -> ReferenceTask {
        makeTask(.download, data.rest, timeout: timeout, sink: .file(completionHandler), resuming: data)
    }
}

extension TaskSink {
    fileprivate static func content(
        _ handler: @escaping @Sendable ([UInt8]?, LoadResponse?, LoadError?) -> Void
    ) -> TaskSink {
        .handler { outcome in handler(outcome.error == nil ? outcome.bytes : nil, outcome.response, outcome.error) }
    }

    fileprivate static func file(
        _ handler: @escaping @Sendable (String?, LoadResponse?, LoadError?) -> Void
    ) -> TaskSink {
        .handler { outcome in handler(outcome.file?.path, outcome.response, outcome.error) }
    }
}

extension ClientRequest {
    func with(_ body: RequestBody) -> ClientRequest {
        var request = self
        request.body = body
        return request
    }
}

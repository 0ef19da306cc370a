internal import ProctorBase
internal import ProctorHTTP

extension ReferenceSession {
    /// Registers a task, tells of it and gives it back; refused ones are complete already.
    func makeTask(
        _ kind: ReferenceTask.Kind, _ request: ClientRequest, timeout: Duration?, sink: TaskSink,
        delegate: (any ReferenceTaskDelegate)? = nil, resuming resumeData: ResumeData? = nil
    ) -> ReferenceTask {
        let request = complete(request)
        let options = configuration.loadOptions(timeout: timeout, asksToStore: kind != .download && sink.isDelegate)
        let course = TaskCourse(request, options: options, sink: sink, isDownload: kind == .download, session: self)
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let task = ReferenceTask(
            number: number, kind: kind, request: request, session: self, course: course, delegate: delegate)
        if let resumeData, let reason = course.goOn(with: resumeData) {
            refuse(task, reason)
            return task
        }
        let isTaken = state.withLock { state in
            guard !state.isInvalidated else { return false }
            state.tasks[number] = task
            state.beingMade.insert(number)
            return true
        }
        guard isTaken else {
            refuse(task, Self.invalidated)
            return task
        }
        course.tellCreated()
        let isCancelled = state.withLock { state in
            state.beingMade.remove(number)
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        return task
    }

    /// A handler is called all the same, when the task is resumed and on that thread: there may be no queue any more.
    private func refuse(_ task: ReferenceTask, _ error: LoadError) {
        guard case .handler(let handler) = task.course.sink else { return task.refuse(error, nil) }
        task.refuse(error) { handler(TaskOutcome(error: error)) }
    }

    static let invalidated = LoadError(
        .cancelled, "the session was invalidated and takes no more tasks; make another one")

    /// With the fields of the configuration that it lacks.
    func complete(_ request: ClientRequest) -> ClientRequest {
        var request = request
        for field in sessionFields where !request.fields.contains(named: field.name) { request.fields.append(field) }
        return request
    }

    func makeFile() throws(LoadError) -> DownloadFile {
        try DownloadFile(in: configuration.temporaryFolder, limit: configuration.fileByteLimit)
    }
}

extension TaskSink {
    /// Whether the delegate is told of content and end.
    var isDelegate: Bool {
        if case .delegate = self { return true }
        return false
    }
}

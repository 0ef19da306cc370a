internal import ProctorBase
internal import ProctorHTTP

extension ReferenceSession {
    /// Registers a task, tells of it and gives it back; refused ones are complete already.
    func makeTask(
        _ kind: ReferenceTask.Kind, _ request: ClientRequest, timeout: Duration?, sink: TaskSink,
        delegate: (any ReferenceTaskDelegate)? = nil, resuming resumeData: ResumeData? = nil
    ) -> ReferenceTask {
        let request = request.completed(with: sessionFields)
        let options = configuration.loadOptions(
            timeout: timeout, asksToStore: kind != .download, keeper: keeper, security: security,
            cookies: cookieStore)
        let course = TaskCourse(request, options: options, sink: sink, isDownload: kind == .download, session: self)
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let task = ReferenceTask(
            number: number, kind: kind, request: request, session: self, course: course, delegate: delegate)
        let isTaken = state.withLock { state in
            guard !state.isInvalidated else { return false }
            state.tasks[number] = task
            state.beingMade.insert(number)
            return true
        }
        guard isTaken else {
            refuse(task)
            return task
        }
        if let resumeData { course.goOn(with: resumeData) }
        course.tellCreated()
        let isCancelled = state.withLock { state in
            state.beingMade.remove(number)
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        return task
    }

    /// A handler is called all the same, when the task is resumed and on that thread: there may be no queue any more.
    private func refuse(_ task: ReferenceTask) {
        let error = Self.invalidated
        guard case .handler(let handler)? = task.course.sink else { return task.refuse(error, nil) }
        task.refuse(error) { handler(TaskOutcome(error: error)) }
    }

    static let invalidated = LoadError(
        .cancelled, "the session was invalidated and takes no more tasks; make another one")

    func makeFile() throws(LoadError) -> DownloadFile {
        try DownloadFile(in: configuration.temporaryFolder, limit: configuration.fileByteLimit)
    }
}

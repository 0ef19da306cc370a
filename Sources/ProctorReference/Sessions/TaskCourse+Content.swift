internal import ProctorBase
internal import ProctorHTTP

extension TaskCourse {
    /// Asks what becomes of it, where there is somebody to ask (R28).
    func received(_ response: LoadResponse) {
        self.response = response
        if let load { task?.note(load.request) }
        task?.note(response)
        body = []
        bodyByteCount = 0
        expectedByteCount = response.expectedByteCount ?? -1
        if isDownload { return beginFile(with: response) }
        if isDelivering {
            place(.response(response))
        } else {
            load?.answer(.responseAnswered(isAllowed: true))
        }
    }

    /// The answer to `response`.
    func dispose(_ disposition: ResponseDisposition) {
        switch disposition {
        case .allow: load?.answer(.responseAnswered(isAllowed: true))
        case .cancel: load?.answer(.responseAnswered(isAllowed: false))
        case .becomeDownload: becomeDownload()
        }
    }

    func received(_ bytes: [UInt8]) {
        if isDownload { return write(bytes) }
        bodyByteCount += bytes.count
        if isDelivering { return place(.data(bytes), consuming: bytes.count) }
        let limit = session.configuration.collectedByteLimit
        guard bodyByteCount <= limit else {
            return fail(
                LoadError(
                    .dataLengthExceedsMaximum,
                    "the content is longer than the \(limit) bytes that are kept in memory; use a download"))
        }
        body += bytes
        load?.didConsume(bytes.count)
    }

    // MARK: Downloads

    private func becomeDownload() {
        guard let task, load != nil, !isDownload else { return }
        isDownload = true
        task.turnIntoDownload()
        place(.becameDownload)
        guard makeFile() else { return }
        load?.answer(.responseAnswered(isAllowed: true))
    }

    private func beginFile(with response: LoadResponse) {
        if isResuming, let resumeData {
            isResuming = false
            guard goOn(with: response, after: resumeData) else { return }
        } else if file != nil {
            // The next part of multipart/x-mixed-replace takes the place of the one before (R26).
            guard emptyFile() else { return }
        } else {
            guard makeFile() else { return }
        }
        load?.answer(.responseAnswered(isAllowed: true))
    }

    /// False when it has failed.
    private func goOn(with response: LoadResponse, after resumeData: ResumeData) -> Bool {
        let offset = resumeData.byteCount
        switch ResumptionAnswer(response, to: offset, validator: resumeData.validator) {
        case .goesOn(let expected):
            expectedByteCount = expected
            place(.downloadResumed(offset: offset, expected: expected))
        case .startsOver:
            guard emptyFile() else { return false }
            place(.downloadResumed(offset: 0, expected: expectedByteCount))
        case .refused(let error):
            fail(error)
            return false
        }
        return true
    }

    private func write(_ bytes: [UInt8]) {
        guard let file else { return }
        do throws(LoadError) {
            try file.append(bytes)
        } catch {
            return fail(error)
        }
        guard isDelivering else {
            load?.didConsume(bytes.count)
            return
        }
        let progress = TransferProgress(byteCount: bytes.count, total: file.byteCount, expected: expectedByteCount)
        place(.progress(progress), consuming: bytes.count)
    }

    private func makeFile() -> Bool {
        do throws(LoadError) {
            file = try session.makeFile()
            return true
        } catch {
            fail(error)
            return false
        }
    }

    private func emptyFile() -> Bool {
        do throws(LoadError) {
            try file?.empty()
            return true
        } catch {
            fail(error)
            return false
        }
    }
}

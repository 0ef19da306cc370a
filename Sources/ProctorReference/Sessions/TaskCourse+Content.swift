internal import ProctorBase
internal import ProctorHTTP

extension TaskCourse {
    /// Asks what becomes of it, where there is somebody to ask (R28).
    func received(_ response: LoadResponse) {
        self.response = response
        if let load { task?.note(load.request) }
        task?.note(response)
        collected.startOver()
        bodyByteCount = 0
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
        guard !isDelivering else {
            bodyByteCount += bytes.count
            return place(.data(bytes), consuming: bytes.count)
        }
        do throws(LoadError) {
            try collected.append(bytes)
        } catch {
            return fail(error)
        }
        load?.didConsume(bytes.count)
    }

    // MARK: Downloads

    private func becomeDownload() {
        guard let task, load != nil, !isDownload, let response else { return }
        isDownload = true
        task.turnIntoDownload()
        place(.becameDownload)
        beginFile(with: response)
    }

    private func beginFile(with response: LoadResponse) {
        do throws(LoadError) {
            switch try content.begin(with: response) {
            case .new: content.store(in: try session.makeFile())
            // The next part of multipart/x-mixed-replace takes the place of the one before (R26).
            case .again: break
            case .goesOn(let offset): place(.downloadResumed(offset: offset, expected: content.expected ?? -1))
            }
        } catch {
            return fail(error)
        }
        load?.answer(.responseAnswered(isAllowed: true))
    }

    private func write(_ bytes: [UInt8]) {
        do throws(LoadError) {
            try content.append(bytes)
        } catch {
            return fail(error)
        }
        guard isDelivering else {
            load?.didConsume(bytes.count)
            return
        }
        let progress = TransferProgress(
            byteCount: bytes.count, total: content.byteCount, expected: content.expected ?? -1)
        place(.progress(progress), consuming: bytes.count)
    }
}

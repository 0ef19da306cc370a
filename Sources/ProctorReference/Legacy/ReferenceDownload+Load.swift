internal import ProctorHTTP
internal import ProctorLoop

/// From notices to calls.
extension ReferenceDownload {
    static func common(_ call: LegacyCall) -> DownloadCall { .common(call) }
    static func failure(_ error: LoadError) -> DownloadCall { .didFail(error) }

    // MARK: On the network's thread

    func prepare(_ load: Load) { place(.didBegin, of: load) }

    func load(_ load: Load, tells notice: ClientNotice) {
        guard core.load === load, !takeCommon(notice, of: load) else { return }
        switch notice {
        // There is no method for a stream; the one that came with the request has been sent.
        case .needBodyStream: load.answer(.bodyStreamAnswered(nil))
        case .response(let response): attempt(load) { () throws(LoadError) in try take(response, of: load) }
        case .data(let bytes):
            attempt(load) { () throws(LoadError) in
                try content.append(bytes)
                place(.didReceiveData(byteCount: bytes.count), of: load) { load.didConsume(bytes.count) }
            }
        case .complete(let error): end(load, error ?? content.shortfall)
        // Nothing asks to store a download.
        case .willCache: load.answer(.cacheAnswered(isStored: false))
        case .bodySent, .canonicalize, .redirect, .challenge, .challengeCancelled, .informational, .metrics: break
        }
    }

    private func attempt(_ load: Load, _ body: () throws(LoadError) -> Void) {
        do throws(LoadError) {
            try body()
        } catch {
            giveUp(load, error)
        }
    }

    private func end(_ load: Load, _ error: LoadError?) {
        do throws(LoadError) {
            if let error { throw error }
            try content.finish()
        } catch {
            abandon()
            return placeLast(.didFail(error), of: load)
        }
        content.file?.keep()
        content.file?.finish()
        content.letGo()
        placeLast(.didFinish, of: load)
    }

    private func giveUp(_ load: Load, _ error: LoadError) {
        guard core.load === load else { return }
        abandon()
        fail(load, error)
    }

    /// The file goes, or it stays, with what it takes to go on where that is possible.
    private func abandon() {
        if !deletesFileUponFailure {
            content.file?.keep()
            leave(content.left)
        }
        content.letGo()
    }

    private func take(_ response: LoadResponse, of load: Load) throws(LoadError) {
        let goOn: @Sendable () -> Void = { load.answer(.responseAnswered(isAllowed: true)) }
        switch try content.begin(with: response) {
        case .goesOn(let offset): place(.willResume(response, fromByte: offset), of: load, then: goOn)
        case .again: place(.didReceiveResponse(response), of: load, then: goOn)
        case .new:
            place(.didReceiveResponse(response), of: load) { [self] in
                onNetwork(of: load) { $0.askAboutEncoding(response, of: load) }
            }
        }
    }

    private func askAboutEncoding(_ response: LoadResponse, of load: Load) {
        guard let type = response.mimeType, SourceDecoding.Encoding(type: type) != nil else {
            return askForPlace(response.suggestedName, of: load)
        }
        place(.shouldDecode(type: type), of: load) { [self] in
            onNetwork(of: load) { $0.askForPlace($0.content.name(of: response), of: load) }
        }
    }

    private func askForPlace(_ name: String, of load: Load) {
        guard destination == nil else { return create(name, of: load) }
        place(.decideDestination(suggestedName: name), of: load) { [self] in
            onNetwork(of: load) { $0.create(name, of: load) }
        }
    }

    private func create(_ name: String, of load: Load) {
        attempt(load) { () throws(LoadError) in
            let configuration = core.network.configuration
            let file = try DownloadFile.create(
                at: destination?.path ?? "\(configuration.temporaryFolder)/\(name)",
                overwriting: destination?.overwrites ?? false, limit: configuration.fileByteLimit)
            content.store(in: file)
            place(.didCreateDestination(path: file.path), of: load) { load.answer(.responseAnswered(isAllowed: true)) }
        }
    }

    private func onNetwork(of load: Load, _ body: @escaping @Sendable (ReferenceDownload) -> Void) {
        load.loop.submit { [self] in if core.load === load, !core.isSilent { body(self) } }
    }

    // MARK: On the callback thread

    func refuseRedirect(of load: Load) {
        switch refusedRedirect {
        case .cancel: cancel()
        case .deliver: load.answer(.redirectAnswered(nil))
        }
    }

    func make(_ call: DownloadCall, of load: Load, to delegate: any ReferenceDownloadDelegate) {
        switch call {
        case .common(let call): makeCommon(call, of: load, to: delegate)
        case .didBegin: delegate.downloadDidBegin(self)
        case .didReceiveResponse(let response): delegate.download(self, didReceive: response)
        case .willResume(let response, let offset):
            delegate.download(self, willResumeWith: response, fromByte: offset)
        case .didReceiveData(let byteCount): delegate.download(self, didReceiveDataOfLength: byteCount)
        case .shouldDecode(let type):
            guard delegate.download(self, shouldDecodeSourceDataOfMIMEType: type) else { return }
            // Before the question that follows: that one begins on this thread, too.
            onNetwork(of: load) { download in
                guard let encoding = SourceDecoding.Encoding(type: type) else { return }
                download.attempt(load) { () throws(LoadError) in try download.content.decode(encoding) }
            }
        case .decideDestination(let name):
            delegate.download(self, decideDestinationWithSuggestedFilename: name)
        case .didCreateDestination(let path): delegate.download(self, didCreateDestination: path)
        case .didFinish: delegate.downloadDidFinish(self)
        case .didFail(let error): delegate.download(self, didFailWith: error)
        }
    }
}

public import ProctorRecorder
public import ProctorReference

/// So a ``ProtocolDriver`` can refuse its redirects.
extension ReferenceProtocol: RedirectAnswering {}

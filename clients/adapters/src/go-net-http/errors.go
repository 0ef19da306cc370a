package main

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"
	"time"

	proctor "proctor.test/kit"
)

// texts of errors that have no type of their own, in the order in which they are looked for.
var texts = []struct{ text, name string }{
	{"stopped after 10 redirects", "tooManyRedirects"},
	{"unsupported protocol scheme", "unsupportedURL"},
	{"no Host in request URL", "badURL"},
	{"tls: certificate required", "clientCertificateRequired"},
	{"tls: bad certificate", "clientCertificateRejected"},
	{"tls: unknown certificate", "clientCertificateRejected"},
	{"tls: revoked certificate", "clientCertificateRejected"},
	{"tls: expired certificate", "clientCertificateRejected"},
	{"tls: unsupported certificate", "clientCertificateRejected"},
	{"tls: ", "secureConnectionFailed"},
	{"HTTP response to HTTPS client", "secureConnectionFailed"},
	{"server closed idle connection", "connectionLost"},
	{"use of closed network connection", "connectionLost"},
	{"stream error: ", "connectionLost"},
	{"server sent GOAWAY", "connectionLost"},
	{"client connection force closed", "connectionLost"},
	{"connection error: ", "badServerResponse"},
	{"http2: ", "badServerResponse"},
	{"malformed", "badServerResponse"},
	{"transfer encoding", "badServerResponse"},
	{"Content-Length", "badServerResponse"},
	{"chunk", "badServerResponse"},
	{"response missing Location", "badServerResponse"},
	{"failed to parse Location", "badServerResponse"},
}

// certificateError is the name of what verification says; empty where it is another error.
func certificateError(err error) string {
	var root x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.As(err, &root):
		return "serverCertificateHasUnknownRoot"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert.NotBefore.After(time.Now()):
		return "serverCertificateNotYetValid"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "serverCertificateHasBadDate"
	case errors.As(err, &untrusted):
		return "serverCertificateUntrusted"
	}
	return ""
}

func errorName(err error) string {
	if name := certificateError(err); name != "" {
		return name
	}
	var notFound *net.DNSError
	var record tls.RecordHeaderError
	var timed net.Error
	var parsing *url.Error
	switch {
	case errors.As(err, &notFound):
		return "cannotFindHost"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.As(err, &timed) && timed.Timeout():
		return "timedOut"
	case errors.As(err, &record):
		return "secureConnectionFailed"
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOENT):
		return "cannotConnect"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		errors.Is(err, syscall.EPIPE):
		return "connectionLost"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return "cannotDecodeContentData"
	}
	for _, row := range texts {
		if strings.Contains(err.Error(), row.text) {
			return row.name
		}
	}
	if errors.As(err, &parsing) && parsing.Op == "parse" {
		return "badURL"
	}
	return "unknown"
}

func addError(facts proctor.Facts, err error) {
	facts["error"], facts["domain"], facts["message"] = errorName(err), client, err.Error()
}

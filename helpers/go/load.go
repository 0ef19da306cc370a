package proctor

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

// bodyLimit is how many bytes of a body are told.
const bodyLimit = 640 << 10

// Step is what a client is asked in one load, as Docs/clients/assignment.md has it.
type Step struct {
	Method, URL, BodyForm string
	Headers, Form, Query  [][2]string
	Body                  *struct {
		Text   string
		Base64 []byte
		Count  *int
	}
	FieldNames  []string
	OnRedirect  []Answer
	OnChallenge []Answer
	Beforehand  *struct {
		Follow     bool
		Credential *struct{ User, Password, Token string }
	}
	CancelAt *struct {
		Event string
		Count int
	}
	Timeout int
}

// Answer is what is said to a redirect or a challenge: "follow", "refuse", "change" and others.
type Answer struct {
	Answer, Method, URL string
	Headers             [][2]string
}

// Session is how the client is set up for all loads of a case.
type Session struct {
	Names []struct {
		Name, Address string
		Port          int
	}
	Cookies, Trust, Proxy string
	RequestTimeout        int
	Identity              *struct{ Certificate, Key string }
}

// Load is one load that the client is to make: what is asked, how questions are answered, and what comes of it.
type Load struct {
	// Case is the name of the case. Context ends with the case, at the latest at its deadline.
	Case    string
	Context context.Context
	// Method, URL and Fields are those of the request, and Body is its content, nil where it has none.
	Method, URL string
	Fields      [][2]string
	Body        []byte
	// Follows says whether redirects are followed, and Answers what is said to each where they differ.
	Follows bool
	Answers []Answer
	// User and Password answer any challenge, and Token one of the Bearer scheme; all are "" where there is none.
	User, Password, Token string
	// CancelsAt is the word of the moment at which the load is cancelled, as "response", or "".
	CancelsAt string
	Step      Step
	Session   Session

	kept *any
}

// IsStreamed says that the length of the content is not to be known beforehand.
func (l *Load) IsStreamed() bool {
	return l.Body != nil && (strings.HasSuffix(l.Step.BodyForm, "stream") || strings.HasSuffix(l.Step.BodyForm, "pair"))
}

// Once is what make gave at the first load of the case, for all its loads.
func (l *Load) Once(make func() any) any {
	if *l.kept == nil {
		*l.kept = make()
	}
	return *l.kept
}

// Transport is a new transport of net/http that knows the names of the case and no others, its authority, its identity and its proxy.
func (l *Load) Transport() *http.Transport {
	transport := &http.Transport{DialContext: l.Dial, TLSClientConfig: &tls.Config{}}
	if l.Session.Proxy != "" {
		transport.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: l.Session.Proxy})
	}
	if pem, err := os.ReadFile(l.Session.Trust); l.Session.Trust != "" && err == nil {
		transport.TLSClientConfig.RootCAs = x509.NewCertPool()
		transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(pem)
	}
	if identity := l.Session.Identity; identity != nil {
		if pair, err := tls.LoadX509KeyPair(identity.Certificate, identity.Key); err == nil {
			transport.TLSClientConfig.Certificates = []tls.Certificate{pair}
		}
	}
	return transport
}

// Dial connects to a name of the case where that listens, and to no other name.
func (l *Load) Dial(ctx context.Context, network, target string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(target)
	if err != nil {
		return nil, err
	}
	for _, one := range l.Session.Names {
		if strings.EqualFold(strings.TrimSuffix(host, "."), one.Name) && port == fmt.Sprint(one.Port) {
			if path := strings.TrimPrefix(one.Address, "unix:"); path != one.Address {
				return new(net.Dialer).DialContext(ctx, "unix", path)
			}
			return new(net.Dialer).DialContext(ctx, network, one.Address)
		}
	}
	if net.ParseIP(host) == nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return new(net.Dialer).DialContext(ctx, network, target)
}

// Request is the request of net/http that the load asks for.
func (l *Load) Request() (*http.Request, error) {
	var body io.Reader
	if l.Body != nil {
		body = bytes.NewReader(l.Body)
		if l.IsStreamed() {
			body = io.MultiReader(body)
		}
	}
	request, err := http.NewRequestWithContext(l.Context, l.Method, l.URL, body)
	if err != nil {
		return nil, err
	}
	for _, field := range l.Fields {
		request.Header.Add(field[0], field[1])
	}
	return request, nil
}

// Result reads what came of a load: the final response, or the error in its place.
func (l *Load) Result(response *http.Response, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	result := Result{"status": response.StatusCode, "url": response.Request.URL.String()}
	if media, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";"); strings.TrimSpace(media) != "" {
		result["mime"] = strings.ToLower(strings.TrimSpace(media))
	}
	if l.Step.FieldNames != nil {
		var lines []string
		for _, name := range l.Step.FieldNames {
			if values := response.Header.Values(name); values != nil {
				lines = append(lines, name+": "+strings.Join(values, ", "))
			}
		}
		result["header"] = strings.Join(lines, "\n")
	}
	content, err := io.ReadAll(response.Body)
	switch {
	case len(content) > bodyLimit:
		result["bytes"] = len(content)
	case utf8.Valid(content) && !bytes.ContainsRune(content, 0):
		result["body"] = string(content)
	default:
		result["body"] = content
	}
	if err != nil {
		result["error"], result["message"] = ErrorName(err), err.Error()
	}
	return result, nil
}

// cannot is the error of a client that can't be told a part of the program.
type cannot struct{ reason string }

func (c cannot) Error() string { return c.reason }

// Cannot is for a client that can't be told a part of the program: returned, it skips the case with the reason.
func (l *Load) Cannot(reason string) error { return cannot{reason} }

// ErrorName is the neutral name of an error (Docs/judging/traces.md).
func ErrorName(err error) string {
	var root x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var notFound *net.DNSError
	var record tls.RecordHeaderError
	var timed net.Error
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert.NotBefore.After(time.Now()):
		return "serverCertificateNotYetValid"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "serverCertificateHasBadDate"
	case errors.As(err, &root), errors.As(err, &invalid), errors.As(err, &host):
		return "serverCertificateUntrusted"
	case errors.As(err, &notFound):
		return "cannotFindHost"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.As(err, &timed) && timed.Timeout():
		return "timedOut"
	case errors.As(err, &record):
		return "secureConnectionFailed"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "cannotConnect"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connectionLost"
	}
	for _, row := range [][2]string{
		{"stopped after", "tooManyRedirects"}, {"malformed HTTP", "badServerResponse"}, {"unsupported protocol scheme", "unsupportedURL"},
		{"gzip", "cannotDecodeContentData"}, {"tls: ", "secureConnectionFailed"}, {"parse ", "badURL"},
	} {
		if strings.Contains(err.Error(), row[0]) {
			return row[1]
		}
	}
	return "unknown"
}

func newLoad(name string, step Step, session Session) *Load {
	load := &Load{Case: name, Method: step.Method, URL: step.URL, Fields: step.Headers, Answers: step.OnRedirect, Step: step, Session: session}
	load.Follows = len(step.OnRedirect) > 0 && step.OnRedirect[0].Answer == "follow"
	if told := step.Beforehand; told != nil {
		load.Follows = told.Follow
		if told.Credential != nil {
			load.User, load.Password, load.Token = told.Credential.User, told.Credential.Password, told.Credential.Token
		}
	}
	if step.CancelAt != nil {
		load.CancelsAt = step.CancelAt.Event
	}
	if step.Body != nil {
		data := step.Body.Base64
		if data == nil {
			data = []byte(step.Body.Text)
		}
		load.Body = append([]byte{}, data...)
		if count := step.Body.Count; count != nil && len(data) > 0 {
			load.Body = bytes.Repeat(data, *count/len(data)+1)[:*count]
		}
	}
	return load
}

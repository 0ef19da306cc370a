package proctor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

// bodyLimit is how many bytes of a body are told.
const bodyLimit = 640 << 10

// Terms say who sits an exam. Cases are as proctor exam has them: "redirect/", "family/scenario#case", "*". A case that needs an
// ability (Docs/clients/abilities.md) that is not among Abilities is skipped. Ledger is a file of failures that are known; with the
// variable PROCTOR_WRITE_LEDGER it is brought up to date. Moments are the events at which the client can be cancelled.
type Terms struct {
	Cases     []string `json:"cases"`
	Client    string   `json:"client,omitempty"`
	Version   string   `json:"version,omitempty"`
	Abilities []string `json:"abilities,omitempty"`
	Moments   []string `json:"moments,omitempty"`
	Protocol  string   `json:"protocol,omitempty"`
	Ledger    string   `json:"-"`
}

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

// exam is one that this process has begun.
type exam struct {
	name, ledger string
	writes       bool
	server       *server
	client       func(*Load) (Result, error)
}

// Exam makes each case of an exam a subtest of its own, all of them parallel. The function makes one load, and gives its result; an
// error is what the client gave in its place, but for that of Cannot, which skips the case.
func Exam(t *testing.T, terms Terms, client func(*Load) (Result, error)) {
	t.Helper()
	server, err := shared()
	if err != nil {
		t.Fatalf("proctor: %v", err)
	}
	one := exam{ledger: terms.Ledger, server: server, client: client}
	one.writes = terms.Ledger != "" && os.Getenv("PROCTOR_WRITE_LEDGER") != ""
	known := ""
	if text, err := os.ReadFile(terms.Ledger); terms.Ledger != "" && err == nil {
		known = string(text)
	}
	if terms.Client == "" {
		terms.Client = t.Name()
	}
	one.name = fmt.Sprintf("%x", sha256.Sum256([]byte(fmt.Sprint(os.Getpid(), t.Name(), terms))))[:32]
	body, err := json.Marshal(struct {
		Terms
		Known string `json:"ledger,omitempty"`
	}{terms, known})
	if err != nil {
		t.Fatalf("proctor: %v", err)
	}
	var list struct {
		Cases []struct{ Case, Outcome, Reason string }
	}
	if err := one.ask(http.MethodPut, "exams/"+one.name, body, &list); err != nil {
		t.Fatalf("proctor: %v", err)
	}
	for _, entry := range list.Cases {
		entry := entry
		t.Run(entry.Case, func(t *testing.T) {
			if entry.Outcome != "" {
				t.Skipf("%s: %s", entry.Outcome, entry.Reason)
			}
			t.Parallel()
			one.sit(t, entry.Case)
		})
	}
}

func (e exam) ask(method, path string, body []byte, answer any) error {
	text, err := e.server.call(method, path, body)
	if err == nil && answer != nil {
		err = json.Unmarshal(text, answer)
	}
	return err
}

// sit has the client make the loads of one case, and reports the verdict.
func (e exam) sit(t *testing.T, name string) {
	var told struct {
		Run        string
		Assignment struct {
			Deadline int
			Session  Session
			Steps    []Step
		}
	}
	if err := e.ask(http.MethodPost, "exams/"+e.name+"/sit?"+url.Values{"case": {name}}.Encode(), nil, &told); err != nil {
		t.Fatalf("proctor: %v", err)
	}
	limit := time.Duration(told.Assignment.Deadline) * time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var kept any
	type outcome struct {
		results []Result
		reason  string
	}
	ended := make(chan outcome, 1)
	go func() {
		made := outcome{results: []Result{}}
		for _, step := range told.Assignment.Steps {
			load := newLoad(name, step, told.Assignment.Session)
			load.Context, load.kept = ctx, &kept
			result, err := e.client(load)
			if refusal := (cannot{}); errors.As(err, &refusal) {
				made.reason = refusal.reason
				break
			} else if err != nil {
				result = Result{"error": ErrorName(err), "message": err.Error()}
			}
			made.results = append(made.results, result)
		}
		if closing, has := kept.(interface{ CloseIdleConnections() }); has {
			closing.CloseIdleConnections()
		}
		ended <- made
	}()
	made := outcome{results: []Result{}}
	query := url.Values{"run": {told.Run}, "case": {name[strings.Index(name, "#")+1:]}}
	select {
	case made = <-ended:
	case <-time.After(limit):
		query.Set("hung", fmt.Sprint(told.Assignment.Deadline))
	}
	if made.reason != "" {
		e.ask(http.MethodDelete, "runs/"+told.Run, nil, nil)
		t.Skipf("the client can't be told so: %s", made.reason)
	}
	var verdict Verdict
	body, err := json.Marshal(map[string]any{"results": made.results})
	if err == nil {
		err = e.ask(http.MethodPost, "exams/"+e.name+"/judge?"+query.Encode(), body, &verdict)
	}
	if err != nil {
		t.Fatalf("proctor: the verdict of %s: %v", name, err)
	}
	e.report(t, name, verdict)
}

var writing sync.Mutex

// report fails the test by a new failure, and skips it by a known one.
func (e exam) report(t *testing.T, name string, verdict Verdict) {
	t.Helper()
	if verdict.IsFailure && e.writes {
		writing.Lock()
		defer writing.Unlock()
		if text, err := e.server.call(http.MethodGet, "exams/"+e.name+"/ledger", nil); err != nil {
			t.Fatalf("proctor: %v", err)
		} else if err := os.WriteFile(e.ledger, text, 0o644); err != nil {
			t.Fatalf("proctor: %v", err)
		}
		t.Skipf("written to the ledger: %s", verdict.Sentence)
	}
	if verdict.IsFailure {
		parts := strings.Split(t.Name(), "/")
		for index, part := range parts {
			parts[index] = "^" + regexp.QuoteMeta(part) + "$"
		}
		t.Fatalf("%s\n\nagain: go test -run '%s'", verdict.Text, strings.Join(parts, "/"))
	}
	switch verdict.Outcome {
	case "known", "lacks", "not-in-this-adapter", "skipped":
		text := verdict.Outcome
		if ledger, has := verdict.Verdict["ledger"].(map[string]any); has {
			text = fmt.Sprintf("%s: %v", text, ledger["because"])
		}
		t.Skip(text)
	}
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

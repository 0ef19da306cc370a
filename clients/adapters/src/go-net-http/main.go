// An adapter of Proctor for net/http of Go (Docs/clients/adapters.md).
//
// What it is told, so that it neither gets help nor is hindered:
//
//   - A Client with a clone of http.DefaultTransport, shared by all steps. DialContext leads names to their addresses
//     or sockets; other names are not found.
//   - The URL as a text for http.NewRequest; fields by Header.Add, but Host, which is Request.Host. A query is added by
//     url.Values, a form encoded by it; both are sorted by their names.
//   - The jar of net/http/cookiejar without a list of public suffixes, or none.
//   - Redirects with the client's own limit (10). CheckRedirect answers each as the program says: it refuses by
//     ErrUseLastResponse, cancels the context, or changes the request that it is shown.
//   - A streamed body tells no length, and is made anew by GetBody.
//   - To cancel is to cancel the context. A limit of the load is Client.Timeout; net/http has none of silence.
//   - Where the assignment has the protocol h2, Transport.Protocols with HTTP/2 alone, with TLS and without (Go 1.24).
//   - A scheme of one's own is registered with the transport (RegisterProtocol).
//
// It answers no challenge: SetBasicAuth sends a credential unasked. It undoes gzip where it asked for it itself; a step
// whose content is coded otherwise is unimplemented, as is a CONNECT, which delivers a tunnel.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	proctor "proctor.test/kit"
)

const client = "go-net-http"

var abilities = strings.Fields(`methods repeated-fields verbatim-urls encodes-values unix-sockets addresses dns own-scheme fragment
	redirects redirect-refuse redirect-change redirect-cancel redirect-per-answer cookie-jar cookies-from-addresses
	challenge-default connection-limit proxy proxy-tunnel proxy-tls socks socks-password trust identity upload-stream several-loads response-answers
	cancel time-limit-total` + abilityOfHTTP2)

var moments = []string{"before-resume", "after-resume", "response", "redirect", "data", "progress"}

func refuse(step *proctor.Step) (key, reason string) {
	if step.Method == "CONNECT" {
		return "method", "delivers a tunnel for CONNECT"
	}
	return "", ""
}

// dial leads to the addresses of the assignment, in place of the resolver.
func dial(one *proctor.Assignment) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, _, target string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(target)
		if err != nil {
			return nil, err
		}
		number, _ := strconv.Atoi(port)
		network, address, isKnown := one.Place(host, number)
		if !isKnown {
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
}

// lookUp asks the server of DNS of the assignment, and connects to the port of the table in place of the URL's.
func lookUp(one *proctor.Assignment) func(context.Context, string, string) (net.Conn, error) {
	dialer := &net.Dialer{Resolver: &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, one.Session.Resolver)
	}}}
	return func(ctx context.Context, _, target string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(target)
		if err != nil {
			return nil, err
		}
		number, _ := strconv.Atoi(port)
		if net.ParseIP(host) != nil || host == "localhost" {
			return dial(one)(ctx, "tcp", target)
		}
		if _, address, isKnown := one.Place(host, number); isKnown {
			_, port, _ = net.SplitHostPort(address)
		}
		// The point keeps the search list of the machine away.
		return dialer.DialContext(ctx, "tcp", net.JoinHostPort(strings.TrimSuffix(host, ".")+".", port))
	}
}

func newClient(one *proctor.Assignment) (*http.Client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = dial(one)
	if one.Session.Resolver != "" && one.Session.Proxy == "" {
		transport.DialContext = lookUp(one)
	}
	transport.MaxConnsPerHost = one.Session.ConnectionsPerHost
	if one.Protocol == "h2" {
		speakHTTP2(transport)
	}
	transport.Proxy = nil
	if one.Session.Proxy != "" {
		proxy := &url.URL{Scheme: one.ProxyScheme(), Host: one.Session.Proxy}
		if user, password := one.Session.ProxyUser, one.Session.ProxyPassword; user != nil {
			proxy.User = url.User(*user)
			if password != nil {
				proxy.User = url.UserPassword(*user, *password)
			}
		}
		transport.Proxy = http.ProxyURL(proxy)
	}
	transport.TLSClientConfig = &tls.Config{}
	if one.Session.Trust != "" {
		text, err := os.ReadFile(one.Session.Trust)
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig.RootCAs = x509.NewCertPool()
		transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(text)
	}
	if identity := one.Session.Identity; identity != nil {
		pair, err := tls.LoadX509KeyPair(identity.Certificate, identity.Key)
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig.Certificates = []tls.Certificate{pair}
	}
	if one.Session.OwnScheme != "" {
		transport.RegisterProtocol(one.Session.OwnScheme, ownScheme{transport})
	}
	made := &http.Client{Transport: transport, Timeout: time.Duration(one.Session.ResourceTimeout) * time.Millisecond}
	if one.Session.Cookies != "never" {
		made.Jar, _ = cookiejar.New(nil)
	}
	return made, nil
}

// ownScheme loads URLs of another scheme as if they were http.
type ownScheme struct{ transport *http.Transport }

func (o ownScheme) RoundTrip(request *http.Request) (*http.Response, error) {
	loaded := request.Clone(request.Context())
	loaded.URL.Scheme = "http"
	response, err := o.transport.RoundTrip(loaded)
	if response != nil {
		response.Request = request
	}
	return response, err
}

func newRequest(ctx context.Context, step *proctor.Step) (*http.Request, error) {
	var body io.Reader
	var content []byte
	var err error
	if step.Form != nil {
		body = strings.NewReader(values(step.Form).Encode())
	} else if step.Body != nil {
		if content, err = step.Content(); err != nil {
			return nil, err
		}
		body = bytes.NewReader(content)
		if step.IsStreamed() {
			body = struct{ io.Reader }{body}
		}
	}
	request, err := http.NewRequestWithContext(ctx, step.Method, step.URL, body)
	if err != nil {
		return nil, err
	}
	if step.Form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	} else if step.Body != nil && step.IsStreamed() {
		request.GetBody = func() (io.ReadCloser, error) {
			return io.NopCloser(struct{ io.Reader }{bytes.NewReader(content)}), nil
		}
	}
	if step.Query != nil {
		query := request.URL.Query()
		for name, list := range values(step.Query) {
			query[name] = append(query[name], list...)
		}
		request.URL.RawQuery = query.Encode()
	}
	addFields(request, step.Headers)
	return request, nil
}

func values(pairs [][2]string) url.Values {
	all := url.Values{}
	for _, pair := range pairs {
		all.Add(pair[0], pair[1])
	}
	return all
}

func addFields(request *http.Request, headers [][2]string) {
	for _, header := range headers {
		if strings.EqualFold(header[0], "Host") {
			request.Host = header[1]
		} else {
			request.Header.Add(header[0], header[1])
		}
	}
}

// load is one step.
type load struct {
	step   *proctor.Step
	task   int
	trace  *proctor.Trace
	cancel context.CancelFunc
	facts  proctor.Facts
	body   []byte
	count  int
}

func (l *load) cancelAt(count int, events ...string) {
	if slices.Contains(events, l.step.CancelAt.Event) && l.step.CancelAt.Count == count {
		l.trace.Event("cancel", l.task, "", nil)
		l.cancel()
	}
}

// checkRedirect answers as the program says, and otherwise as the client does by itself.
func (l *load) checkRedirect(request *http.Request, via []*http.Request) error {
	l.cancelAt(len(via), "redirect")
	answer := l.step.OnRedirect[min(len(via), len(l.step.OnRedirect))-1]
	switch answer.Answer {
	case "refuse":
		return http.ErrUseLastResponse
	case "cancel":
		l.trace.Event("cancel", l.task, "", nil)
		l.cancel()
	case "change":
		if answer.URL != "" {
			target, err := url.Parse(answer.URL)
			if err != nil {
				return err
			}
			request.URL, request.Host = target, ""
		}
		if answer.Method != "" {
			request.Method = answer.Method
		}
		for _, header := range answer.Headers {
			request.Header.Set(header[0], header[1])
		}
	}
	if len(via) >= 10 {
		return errors.New("stopped after 10 redirects")
	}
	return nil
}

func (l *load) run(shared http.Client) error {
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	defer cancel()
	shared.CheckRedirect = l.checkRedirect
	l.cancelAt(1, "before-resume")
	l.trace.Event("resume", l.task, "", nil)
	if l.step.CancelAt.Event == "after-resume" {
		// It begins in a goroutine of its own.
		time.AfterFunc(0, func() { l.cancelAt(1, "after-resume") })
	}
	if err := l.respond(ctx, shared); errors.As(err, new(proctor.Unimplemented)) {
		return err
	} else if err != nil {
		addError(l.facts, err)
	}
	proctor.AddBody(l.facts, l.body, l.count)
	l.trace.Event("result", l.task, "", l.facts)
	return nil
}

func (l *load) respond(ctx context.Context, shared http.Client) error {
	request, err := newRequest(ctx, l.step)
	if err != nil {
		return err
	}
	response, err := shared.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if coding := response.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		// The transport takes the field away where it undoes the coding.
		reason := fmt.Sprintf("steps[%d]: net/http does not undo %s, in which the content is coded", l.task, coding)
		return proctor.Unimplemented{Task: l.task, Reason: reason}
	}
	l.facts["url"], l.facts["status"] = response.Request.URL.String(), response.StatusCode
	if kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type")); err == nil {
		l.facts["mime"] = kind
	}
	if len(l.step.FieldNames) > 0 {
		l.facts["header"] = fields(response.Header, l.step.FieldNames)
	}
	l.cancelAt(1, "response")
	if l.step.OnResponse == "cancel" {
		l.trace.Event("cancel", l.task, "", nil)
		l.cancel()
	}
	buffer := make([]byte, 64<<10)
	for pieces := 1; ctx.Err() == nil; pieces++ {
		count, err := response.Body.Read(buffer)
		l.count += count
		if l.count <= proctor.BodyLimit {
			l.body = append(l.body, buffer[:count]...)
		}
		if count > 0 {
			l.cancelAt(pieces, "data", "progress")
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// fields are lines of what Header.Get gives, for names that it has.
func fields(header http.Header, names []string) string {
	var lines []string
	for _, name := range names {
		if len(header.Values(name)) > 0 {
			lines = append(lines, name+": "+header.Get(name))
		}
	}
	return strings.Join(lines, "\n")
}

func run(one *proctor.Assignment, trace *proctor.Trace) error {
	shared, err := newClient(one)
	if err != nil {
		return err
	}
	defer shared.CloseIdleConnections()
	var open sync.WaitGroup
	failures := make([]error, len(one.Steps))
	for task := range one.Steps {
		step := &one.Steps[task]
		if !step.Together {
			open.Wait()
			if err := errors.Join(failures...); err != nil {
				return err
			}
		}
		begun := make(chan struct{})
		open.Add(1)
		go func() {
			defer open.Done()
			close(begun)
			failures[task] = (&load{step: step, task: task, trace: trace, facts: proctor.Facts{}}).run(*shared)
		}()
		<-begun
	}
	open.Wait()
	return errors.Join(failures...)
}

func main() {
	proctor.Serve(proctor.Adapter{
		Client: client, Revision: "1", Version: strings.TrimPrefix(runtime.Version(), "go"), Abilities: abilities,
		Facts:   []string{"url", "status", "mime", "bytes", "body", "header", "error", "message"},
		Moments: moments, Refuse: refuse, Run: run,
	})
}

// Package proctor gives tests of HTTP clients the scenarios of Proctor: each run has ports, turns and a journal of its own.
//
// The server is the one at PROCTOR_SERVER, which is called with PROCTOR_TOKEN. Where that is unset, program.Path
// is started once for the test binary, and ends with it. Whatever a function cannot do
// ends the test that it was given, as t.Fatal does. A run that its test has not judged is judged when the test has passed.
package proctor

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Options are members of the call that makes a run (Docs/use/control.md): Options{"seed": 7}, "reslice", "lifeSeconds", "protocol".
type Options map[string]any

// Run starts a run of a scenario that the server has, such as "redirect/302-get-stays-get".
func Run(t testing.TB, scenario string, options ...Options) *TestRun {
	t.Helper()
	members := Options{"scenario": scenario}
	for _, option := range options {
		for name, value := range option {
			members[name] = value
		}
	}
	body, err := json.Marshal(members)
	if err != nil {
		t.Fatalf("proctor: %v", err)
	}
	return open(t, "runs", body)
}

// Inline starts a run of a scenario whose text is given, in YAML or JSON of up to 1 MiB (Docs/format/file.md).
func Inline(t testing.TB, yaml string) *TestRun {
	t.Helper()
	return open(t, "inline", []byte(yaml))
}

// expect starts a run of stubs, whose origin has keys of Docs/format/origins.md; nil has none.
func expect(t testing.TB, origin map[string]any, stubs []*Stub) *TestRun {
	t.Helper()
	scenario := map[string]any{"summary": "Exchanges of a test", "exchanges": stubs}
	if origin != nil {
		scenario["origins"] = map[string]any{"main": origin}
	}
	text, err := json.Marshal(scenario)
	if err != nil {
		t.Fatalf("proctor: %v", err)
	}
	run := open(t, "stubs", text)
	run.stubs = stubs
	return run
}

// Main runs all tests of the package, says on standard error which exchanges of the scenarios that they used no request asked
// for, and ends the process with the status of the tests. It is for TestMain, and needs none of its tests to have used Proctor.
func Main(m *testing.M) {
	status := m.Run()
	if only.started {
		var list struct{ Unused []string }
		answer, err := only.call("GET", "unused", nil)
		if err == nil && json.Unmarshal(answer, &list) == nil && len(list.Unused) > 0 {
			fmt.Fprintf(os.Stderr, "proctor: exchanges that no test asked for:\n  %s\n", strings.Join(list.Unused, "\n  "))
		}
	}
	os.Exit(status)
}

func open(t testing.TB, path string, body []byte) *TestRun {
	t.Helper()
	server, err := shared()
	if err != nil {
		t.Fatalf("proctor: %v", err)
	}
	run := &TestRun{t: t, server: server, Within: 5 * time.Second}
	if err := json.Unmarshal(run.ask("POST", path, body), run); err != nil {
		t.Fatalf("proctor: the answer to %s: %v", path, err)
	}
	t.Cleanup(run.finish)
	return run
}

// finish judges what the test has not judged, shows what came where the test failed for a reason of its own, and deletes the run.
func (r *TestRun) finish() {
	r.t.Helper()
	defer func() {
		if _, err := r.server.call("DELETE", "runs/"+r.ID, nil); err != nil {
			r.t.Errorf("proctor: the run of %s could not be deleted: %v", r.Scenario, err)
		}
	}()
	if r.t.Failed() && !r.raised {
		r.t.Logf("proctor: what came in %s before the test failed:\n%s", r.Scenario, r.Timeline())
	} else if !r.judged && !r.t.Skipped() {
		r.Verdict("")
	}
}

// Trust is a pool with the authority of the server and no other, for tls.Config.RootCAs.
func (r *TestRun) Trust() *x509.CertPool {
	r.t.Helper()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(r.ask("GET", "ca.pem", nil))
	return pool
}

// Client is a new client of net/http that trusts the server's authority and reaches origins by their names. It takes no
// proxy from the environment, and its idle connections end with the test.
func (r *TestRun) Client() *http.Client {
	r.t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: r.Trust()}}
	if r.NamesProxy != "" {
		transport.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: r.NamesProxy})
	}
	r.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// Environment has the variables that lead common clients to the run: addresses, proxies, the authority.
func (r *TestRun) Environment() map[string]string {
	r.t.Helper()
	var list struct{ Environment map[string]string }
	if err := json.Unmarshal(r.Call("GET", "environment", ""), &list); err != nil {
		r.t.Fatalf("proctor: the environment of %s: %v", r.Scenario, err)
	}
	authority := list.Environment["PROCTOR_CA"]
	if authority == "" {
		return list.Environment
	}
	path := filepath.Join(r.t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, r.ask("GET", "ca.pem", nil), 0o600); err != nil {
		r.t.Fatalf("proctor: %v", err)
	}
	for name, value := range list.Environment {
		if value == authority {
			list.Environment[name] = path
		}
	}
	return list.Environment
}

func (r *TestRun) ask(method, path string, body []byte) []byte {
	r.t.Helper()
	answer, err := r.server.call(method, path, body)
	if err != nil {
		r.t.Fatalf("proctor: %v", err)
	}
	return answer
}

// Package proctor gives tests of HTTP clients the scenarios of Proctor: each run has ports, turns and a journal of its own.
//
// The server is the one at PROCTOR_SERVER, which is called with PROCTOR_TOKEN. Where that is unset, the program
// PROCTOR_BINARY, or proctor in PATH, is started once for the test binary, and ends with it. Whatever a function cannot do
// ends the test that it was given, as t.Fatal does.
package proctor

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
)

// TestRun is one isolated life of a scenario, which is deleted when its test ends.
type TestRun struct {
	// ID is the name of the run at the server.
	ID       string `json:"run"`
	Scenario string `json:"scenario"`
	// Base is the URL of the first origin, without a slash at its end; Origins has the URL of each origin by its name.
	Base    string            `json:"base"`
	Origins map[string]string `json:"origins"`
	// NamesProxy is HOST:PORT of the proxy that leads to all named origins (Docs/names.md), "" where none has a name.
	NamesProxy string `json:"namesProxy"`

	t        testing.TB
	server   *server
	reported bool
}

// Run starts a run of a scenario that the server has, such as "redirect/302-get-stays-get".
func Run(t testing.TB, scenario string) *TestRun {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"scenario": scenario})
	return begin(t, "runs", body)
}

// Inline starts a run of a scenario whose text is given, in YAML or JSON of up to 1 MiB (Docs/fixtures.md).
func Inline(t testing.TB, yaml string) *TestRun {
	t.Helper()
	return begin(t, "inline", []byte(yaml))
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

func begin(t testing.TB, path string, body []byte) *TestRun {
	t.Helper()
	server, err := shared()
	if err != nil {
		t.Fatalf("proctor: %v", err)
	}
	run := &TestRun{t: t, server: server}
	if err := json.Unmarshal(run.ask("POST", path, body), run); err != nil {
		t.Fatalf("proctor: the answer to %s: %v", path, err)
	}
	t.Cleanup(run.end)
	return run
}

// end shows what came where the test failed for a reason of its own, and deletes the run.
func (r *TestRun) end() {
	r.t.Helper()
	if r.t.Failed() && !r.reported {
		var seen Verdict
		answer, err := r.server.call("GET", "runs/"+r.ID+"/timeline", nil)
		if err == nil {
			err = json.Unmarshal(answer, &seen)
		}
		if err != nil {
			seen.Timeline = []string{err.Error()}
		}
		r.t.Logf("proctor: what came in %s before the test failed:\n%s", r.Scenario, strings.Join(seen.Timeline, "\n"))
	}
	if _, err := r.server.call("DELETE", "runs/"+r.ID, nil); err != nil {
		r.t.Errorf("proctor: the run of %s could not be deleted: %v", r.Scenario, err)
	}
}

// URL is Base with a path behind it, which begins with a slash.
func (r *TestRun) URL(path string) string { return r.Base + path }

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

// Journal is everything that the server has seen and sent in this run so far, in order: the lines of Docs/journal.md, with
// numbers as float64 and lists as []any.
func (r *TestRun) Journal() (entries []map[string]any) {
	r.t.Helper()
	for lines := json.NewDecoder(strings.NewReader(string(r.Call("GET", "journal", "")))); lines.More(); {
		entry := map[string]any{}
		if err := lines.Decode(&entry); err != nil {
			r.t.Fatalf("proctor: line %d of the journal: %v", len(entries)+1, err)
		}
		entries = append(entries, entry)
	}
	return entries
}

// Reset begins the scenario again, with its first turn and an empty journal.
func (r *TestRun) Reset() {
	r.t.Helper()
	r.Call("POST", "reset", "")
	r.reported = false
}

// Call makes any call of the control API below runs/ID (Docs/control-api.md): run.Call("PATCH", "state", `{"left": 7}`).
func (r *TestRun) Call(method, path, body string) []byte {
	r.t.Helper()
	return r.ask(method, "runs/"+r.ID+"/"+path, []byte(body))
}

func (r *TestRun) ask(method, path string, body []byte) []byte {
	r.t.Helper()
	answer, err := r.server.call(method, path, body)
	if err != nil {
		r.t.Fatalf("proctor: %v", err)
	}
	return answer
}

// Verdict is what the server makes of the requests of a run by one case (Docs/verdicts.md).
type Verdict struct {
	Case string
	// Kind is must, should or observes; a scenario without cases has none.
	Kind string
	// Outcome is pass, partly, observed, fail, not-judged, or setup-failed for a Reason.
	Outcome string `json:"verdict"`
	Reason  string
	// Sentence says what went wrong first; empty where nothing failed.
	Sentence string
	// A claim's State is held, broken, not-judged for a Reason, or left-out.
	Claims   []struct{ About, Claim, State, Reason string }
	Findings []struct {
		Weight, Sentence, Location string
		Details                    []string
	}
	// Timeline has a line for each thing that came or went, and Text has it all.
	Timeline []string
	Text     string
}

// Verdict asks for the verdict of a case, or of the only case by "", and fails the test unless it is pass, partly or observed.
//
// What the server cannot judge, such as what the client made of a reply, is left to the test, and logged (go test -v). A
// scenario without cases is judged by "" too: at least one request has come, and each was readable and found its exchange.
func (r *TestRun) Verdict(caseName string) (verdict Verdict) {
	r.t.Helper()
	path := "verdict"
	if caseName != "" {
		path += "?case=" + url.QueryEscape(caseName)
	}
	if err := json.Unmarshal(r.Call("GET", path, ""), &verdict); err != nil {
		r.t.Fatalf("proctor: %s of %s: %v", path, r.Scenario, err)
	}
	name := "proctor: " + r.Scenario
	if verdict.Case != "" {
		name = fmt.Sprintf("proctor: %s#%s (%s)", r.Scenario, verdict.Case, verdict.Kind)
	}
	text := fmt.Sprintf("%s: %s", name, verdict.Text)
	if verdict.Sentence != "" {
		text = fmt.Sprintf("%s\n%s: %s", strings.TrimPrefix(verdict.Text, verdict.Outcome+": "), name, verdict.Outcome)
	}
	if r.reported = verdict.isBad(); r.reported {
		r.t.Error(text)
	} else {
		r.t.Log(text)
	}
	return verdict
}

func (v Verdict) isBad() bool {
	isGood := v.Outcome == "pass" || v.Outcome == "partly" || v.Outcome == "observed"
	isBlank := v.Case == "" && len(v.Timeline) == 0
	return isBlank || !isGood
}

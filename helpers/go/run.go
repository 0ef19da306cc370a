package proctor

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestRun is one isolated life of a scenario, which is deleted when its test ends.
type TestRun struct {
	// ID is the name of the run at the server.
	ID       string `json:"run"`
	Scenario string `json:"scenario"`
	// Base is the URL of the first origin, without a slash at its end; Origins has the URL of each origin by its name.
	Base    string            `json:"base"`
	Origins map[string]string `json:"origins"`
	// NamesProxy is HOST:PORT of the proxy that leads to all named origins (Docs/use/names.md), "" where none has a name.
	NamesProxy string `json:"namesProxy"`
	// Within is how long Verdict and Judge wait for what is under way, 5 s at first.
	Within time.Duration `json:"-"`

	t      testing.TB
	server *server
	// stubs are those whose run it is, in order; none where it is the run of a scenario.
	stubs []*Stub
	// judged says that a verdict was asked for, and raised that it was a failure, which has told the timeline.
	judged, raised bool
}

// URL is Base with a path behind it, which begins with a slash.
func (r *TestRun) URL(path string) string { return r.Base + path }

// WSURL is the same for a WebSocket: ws:, or wss: where the first origin speaks TLS.
func (r *TestRun) WSURL(path string) string { return "ws" + strings.TrimPrefix(r.URL(path), "http") }

// Call makes any call of the control API below runs/ID (Docs/use/control.md): run.Call("PATCH", "state", `{"left": 7}`).
func (r *TestRun) Call(method, path, body string) []byte {
	r.t.Helper()
	return r.ask(method, "runs/"+r.ID+"/"+path, []byte(body))
}

// Journal is everything that the server has seen and sent in this run so far, in order: the lines of Docs/judging/journal.md, with
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

// Reset begins the scenario again, with its first turn and an empty journal; the run is to be judged anew.
func (r *TestRun) Reset() {
	r.t.Helper()
	r.Call("POST", "reset", "")
	r.judged = false
}

// Verdict is what the server makes of a run by one case (Docs/judging/verdicts.md).
type Verdict struct {
	// Outcome is a word of Docs/judging/verdicts.md, and Codes are those of judge in Docs/use/client.md.
	Outcome string
	Codes   []string
	// IsFailure says that the test fails by it.
	IsFailure bool
	// Sentence says what went wrong first, and is empty where nothing did. Timeline has a line for each thing that came or went,
	// and Text has it all.
	Sentence, Timeline, Text string
	// Verdict has the claims of the case and what was found, as the call grade tells them.
	Verdict map[string]any

	// controls are those that the verdict of an exam waits for, and unjudged is why it is no pass.
	controls []string
	unjudged string
}

// UnmarshalJSON reads the answer of the call judge.
func (v *Verdict) UnmarshalJSON(text []byte) error {
	type plain Verdict
	answer := struct {
		*plain
		Controls []string
		Unjudged string
	}{plain: (*plain)(v)}
	err := json.Unmarshal(text, &answer)
	v.controls, v.unjudged = answer.Controls, answer.Unjudged
	return err
}

// Judge waits until nothing is under way, at most Within, and judges by a case: by the only one, or none, for "".
//
// A Result for each step says what the client made of the reply; a string is a whole trace (Docs/judging/traces.md). Without them
// the requests alone are judged.
func (r *TestRun) Judge(caseName string, results ...any) (verdict Verdict) {
	r.t.Helper()
	query := url.Values{"within": {strconv.FormatInt(r.Within.Milliseconds(), 10)}}
	if caseName != "" {
		query.Set("case", caseName)
	}
	body, err := json.Marshal(map[string]any{"results": results})
	if len(results) == 0 {
		body = nil
	} else if trace, isTrace := results[0].(string); isTrace {
		body = []byte(trace)
	}
	if err == nil {
		err = json.Unmarshal(r.Call("POST", "judge?"+query.Encode(), string(body)), &verdict)
	}
	if err != nil {
		r.t.Fatalf("proctor: the verdict of %s: %v", r.Scenario, err)
	}
	return verdict
}

// Verdict is Judge, and fails the test where the verdict is a failure; any other is logged (go test -v).
func (r *TestRun) Verdict(caseName string, results ...any) Verdict {
	r.t.Helper()
	verdict := r.Judge(caseName, results...)
	r.judged, r.raised = true, verdict.IsFailure
	if text := fmt.Sprintf("proctor: %s", verdict.Text); r.raised {
		r.t.Error(text)
	} else {
		r.t.Log(text)
	}
	return verdict
}

// Timeline is what happened, an event a line; before it what went wrong.
func (r *TestRun) Timeline() string {
	r.t.Helper()
	verdict := r.Judge("")
	return strings.TrimPrefix(verdict.Sentence+"\n"+verdict.Timeline, "\n")
}

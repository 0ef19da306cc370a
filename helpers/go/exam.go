package proctor

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

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

// exam is one that this process has begun.
type exam struct {
	// path is the import path of the package that has the test.
	name, ledger, path string
	writes             bool
	server             *server
	client             func(*Load) (Result, error)
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
	caller, _, _, _ := runtime.Caller(1)
	one.path = packageOf(caller)
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
			one.examine(t, entry.Case)
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

// controlLimit is how often a control is asked that goes wrong each time; the server says when it is enough.
const controlLimit = 5

// examine has the client sit one case, and reports the verdict.
func (e exam) examine(t *testing.T, name string) {
	t.Helper()
	call, body := e.sit(t, url.Values{"case": {name}}, name, name[strings.Index(name, "#")+1:])
	var verdict Verdict
	if err := e.ask(http.MethodPost, call, body, &verdict); err != nil {
		t.Fatalf("proctor: the verdict of %s: %v", name, err)
	}
	// A pass by what the client left undone counts where the client can do it.
	if len(verdict.controls) > 0 {
		for _, control := range verdict.controls {
			e.meet(t, control)
		}
		if err := e.ask(http.MethodPost, call, body, &verdict); err != nil {
			t.Fatalf("proctor: the verdict of %s: %v", name, err)
		}
	}
	e.report(t, verdict)
}

// meet asks for a control until the server has seen enough of it.
func (e exam) meet(t *testing.T, control string) {
	t.Helper()
	for count := 0; count < controlLimit; count++ {
		call, body := e.sit(t, url.Values{"control": {control}}, "control/"+control, "")
		var answer struct{ Again bool }
		if err := e.ask(http.MethodPost, call+"&control="+url.QueryEscape(control), body, &answer); err != nil {
			t.Fatalf("proctor: the control %s: %v", control, err)
		}
		if !answer.Again {
			return
		}
	}
}

// sit has the client make the loads of a run; it gives the call that judges the run, and its body.
func (e exam) sit(t *testing.T, what url.Values, name, caseName string) (call string, body []byte) {
	t.Helper()
	var told struct {
		Run        string
		Assignment struct {
			Deadline int
			Session  Session
			Steps    []Step
		}
	}
	if err := e.ask(http.MethodPost, "exams/"+e.name+"/sit?"+what.Encode(), nil, &told); err != nil {
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
	query := url.Values{"run": {told.Run}}
	if caseName != "" {
		query.Set("case", caseName)
	}
	select {
	case made = <-ended:
	case <-time.After(limit):
		query.Set("hung", fmt.Sprint(told.Assignment.Deadline))
	}
	if made.reason != "" {
		e.ask(http.MethodDelete, "runs/"+told.Run, nil, nil)
		t.Skipf("the client can't be told so: %s", made.reason)
	}
	body, err := json.Marshal(map[string]any{"results": made.results})
	if err != nil {
		t.Fatalf("proctor: the results of %s: %v", name, err)
	}
	return "exams/" + e.name + "/judge?" + query.Encode(), body
}

var writing sync.Mutex

// report fails the test by a new failure, and skips it by a known one.
func (e exam) report(t *testing.T, verdict Verdict) {
	t.Helper()
	if verdict.IsFailure && e.writes {
		writing.Lock()
		defer writing.Unlock()
		if text, err := e.server.call(http.MethodGet, "exams/"+e.name+"/ledger", nil); err != nil {
			t.Fatalf("proctor: %v", err)
		} else if err := os.MkdirAll(filepath.Dir(e.ledger), 0o755); err != nil {
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
		t.Fatalf("%s\n\nagain: go test -count=1 -run '%s' %s", verdict.Text, strings.Join(parts, "/"), e.path)
	}
	if verdict.unjudged != "" {
		t.Skipf("not judged: %s", verdict.unjudged)
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

// packageOf is the import path of a function's package, which go test takes in any folder of its module; "." where it is not known.
func packageOf(caller uintptr) string {
	function := runtime.FuncForPC(caller)
	if function == nil {
		return "."
	}
	// The name is that of the package, whose last element has no dot of its own, and behind a dot that of the function.
	folder, name := "", function.Name()
	if slash := strings.LastIndex(name, "/"); slash >= 0 {
		folder, name = name[:slash+1], name[slash+1:]
	}
	last, _, _ := strings.Cut(name, ".")
	path, err := url.PathUnescape(folder + last)
	if err != nil {
		return "."
	}
	return strings.TrimSuffix(path, "_test")
}

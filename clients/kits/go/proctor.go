// Package proctor is the frame of an adapter for Proctor: assignments on standard input, traces on standard output
// (Docs/adapters.md). What the client lacks by its Abilities is left to the exam, which says so whatever the trace holds.
package proctor

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// BodyLimit is how many bytes of a body are told (in base64 they fit a line of 1 MiB), uploadLimit how many are sent;
// margin is the time before the deadline at which the kit gives up.
const BodyLimit, uploadLimit, margin = 640 << 10, 256 << 20, 200 * time.Millisecond

// Facts of a result, or keys of a line, by their names.
type Facts = map[string]any

// Assignment has the keys of Docs/adapters.md that a client without callbacks can be told.
type Assignment struct {
	Version, Deadline   int
	Scenario, Case, Run string
	Steps               []Step
	Session             struct {
		Cookies, Trust, Proxy, OwnScheme                    string
		RequestTimeout, ResourceTimeout, ConnectionsPerHost int
		Identity                                            *struct{ Certificate, Key string }
		Names                                               []Name
	}
}

type Step struct {
	Method, URL, BodyForm, OnResponse, OnBodyStream string
	Headers, Form, Query                            [][2]string
	FieldNames                                      []string
	Body                                            *Body
	OnRedirect, OnChallenge                         []Answer
	RedirectCount, ChallengeCount                   *int
	CancelAt                                        Moment
	Timeout                                         int
	Together                                        bool
	Download                                        *struct{}
}

type Answer struct {
	Answer, Method, URL string
	Headers             [][2]string
}

type Body struct {
	Text, Base64 string
	Count        *int
}

type Name struct {
	Name, Address string
	Port          int
}

type Moment struct {
	Event string
	Count int
}

// Adapter is one client. Refuse and Run may return an Unimplemented; any other error ends the program.
type Adapter struct {
	Client, Revision, Version string
	Abilities, Facts          []string
	Refuse                    func(*Assignment) error
	Run                       func(*Assignment, *Trace) error
}

// Unimplemented says why the client cannot be told what a step asks for.
type Unimplemented struct {
	Task   int
	Reason string
}

func (u Unimplemented) Error() string { return u.Reason }

// Trace writes lines of the lane harness, each in one call, from any goroutine.
type Trace struct {
	lock  sync.Mutex
	count int
	open  map[int]bool
}

// Event writes one line; an empty arg and nil facts are left out.
func (t *Trace) Event(name string, task int, arg string, facts Facts) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.count++
	line := Facts{"seq": t.count, "ns": now(), "lane": "harness", "task": task, "ev": name}
	if arg != "" {
		line["arg"] = arg
	}
	if facts != nil {
		line["facts"] = facts
	}
	t.open[task] = name == "resume" || t.open[task] && name != "result"
	put(line)
}

// giveUp tells the result of each open step, and ends the process.
func (t *Trace) giveUp() {
	facts := Facts{"error": "timedOut", "domain": "adapter", "message": "the step had not ended at the deadline"}
	t.lock.Lock()
	steps := maps.Clone(t.open)
	t.lock.Unlock()
	for task, isOpen := range steps {
		if isOpen {
			t.Event("result", task, "", facts)
		}
	}
	end(0, "")
}

func put(line Facts) {
	text, _ := json.Marshal(line)
	if _, err := os.Stdout.Write(append(text, '\n')); err != nil {
		end(74, err.Error())
	}
}

func end(code int, complaint string) {
	if complaint != "" {
		fmt.Fprintln(os.Stderr, complaint)
	} else if isMany {
		fmt.Println()
	}
	os.Exit(code)
}

var isMany = os.Getenv("PROCTOR_ASSIGNMENTS") == "many"

// Serve is the whole program: it answers --version, or does what comes on standard input.
func Serve(a Adapter) {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println(a.Client, a.Version)
		return
	} else if len(os.Args) > 1 {
		end(64, a.Client+" adapter: unknown argument "+os.Args[1]+"; expected none or --version")
	}
	for in := json.NewDecoder(os.Stdin); ; {
		var one Assignment
		err := in.Decode(&one)
		if isMany && err == io.EOF {
			return
		} else if err != nil || one.Version != 1 || one.Deadline <= 0 || len(one.Steps) == 0 {
			end(64, fmt.Sprintf("%s adapter: standard input has no assignment of version 1: %v", a.Client, err))
		}
		a.perform(&one)
		if !isMany {
			return
		}
		fmt.Println()
	}
}

func (a Adapter) perform(one *Assignment) {
	put(Facts{
		"trace": "proctor", "version": 1, "client": a.Client, "clientVersion": a.Version, "adapter": a.Client,
		"adapterVersion": a.Revision, "clock": clockName, "unit": "ns", "lanes": []string{"harness"}, "facts": a.Facts,
		"abilities": a.Abilities, "scenario": one.Scenario, "case": one.Case, "run": one.Run,
	})
	trace := &Trace{open: map[int]bool{}}
	defer time.AfterFunc(time.Duration(one.Deadline)*time.Millisecond-margin, trace.giveUp).Stop()
	err := a.refuse(one)
	if err == nil {
		err = a.Run(one, trace)
	}
	var cannot Unimplemented
	if errors.As(err, &cannot) {
		trace.Event("unimplemented", cannot.Task, cannot.Reason, nil)
	} else if err != nil {
		end(70, err.Error())
	}
}

// refuse finds what no ability has a word for.
func (a Adapter) refuse(one *Assignment) error {
	for task, step := range one.Steps {
		if step.Download != nil {
			return Unimplemented{task, fmt.Sprintf("steps[%d].download: %s chooses no file", task, a.Client)}
		}
	}
	return a.Refuse(one)
}

// Met are the answers that a right client comes to: all where nobody knows how many questions it meets.
func Met(answers []Answer, count *int) []Answer {
	if count == nil || *count > len(answers) {
		return answers
	}
	return answers[:*count]
}

// IsStreamed says that the length of the body is not to be known.
func (s *Step) IsStreamed() bool {
	return strings.HasSuffix(s.BodyForm, "stream") || strings.HasSuffix(s.BodyForm, "pair")
}

// Content is the bytes of a body.
func (b *Body) Content() ([]byte, error) {
	data, err := []byte(b.Text), error(nil)
	if b.Base64 != "" {
		data, err = base64.StdEncoding.DecodeString(b.Base64)
	}
	if b.Count == nil || len(data) == 0 {
		return data, err
	} else if *b.Count > uploadLimit {
		return nil, fmt.Errorf("a body has at most %d bytes, not %d", uploadLimit, *b.Count)
	}
	return slices.Repeat(data, *b.Count/len(data)+1)[:*b.Count], err
}

// AddBody adds the count of bytes, and the body itself where it is whole.
func AddBody(facts Facts, body []byte, count int) {
	facts["bytes"] = count
	if len(body) == count && utf8.Valid(body) && !slices.Contains(body, 0) {
		facts["body"] = string(body)
	} else if len(body) == count {
		facts["bodyBase64"] = base64.StdEncoding.EncodeToString(body)
	}
}

// Place is where a host and its port stand, for net.Dial; false for names that nobody is to look up.
func (one *Assignment) Place(host string, port int) (network, address string, isKnown bool) {
	plain := strings.TrimSuffix(strings.ToLower(host), ".")
	for _, entry := range one.Session.Names {
		if entry.Name == plain && entry.Port == port {
			if path, isPath := strings.CutPrefix(entry.Address, "unix:"); isPath {
				return "unix", path, true
			}
			return "tcp", entry.Address, true
		}
	}
	if plain == "localhost" {
		host = "127.0.0.1"
	}
	return "tcp", net.JoinHostPort(host, fmt.Sprint(port)), net.ParseIP(host) != nil
}

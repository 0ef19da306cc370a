// Package proctor is the frame of an adapter for Proctor: assignments on standard input, traces on standard output
// (Docs/clients/adapters.md). An adapter fills in an Adapter, and calls Serve.
package proctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"sync"
	"time"
)

// margin is the time before the deadline at which the kit gives up.
const margin = 200 * time.Millisecond

// Facts of a result, or keys of a line, by their names.
type Facts = map[string]any

// Adapter is one client. Moments are events at which it can be cancelled; Refuse gives the key of a step that it cannot be
// told, and why not; Run may return an Unimplemented, and any other error ends the program.
type Adapter struct {
	Client, Revision, Version string
	Abilities, Facts, Moments []string
	Lanes                     []string // those that it reports completely; nil: harness
	Refuse                    func(*Step) (key, reason string)
	Run                       func(*Assignment, *Trace) error
}

// Unimplemented says why the client cannot be told what a step asks for.
type Unimplemented struct {
	Task   int
	Reason string
}

func (u Unimplemented) Error() string { return u.Reason }

// Trace writes lines of the lanes harness and task, each in one call, from any goroutine.
type Trace struct {
	lock  sync.Mutex
	count int
	open  map[int]bool
}

// Event writes one line of the lane harness; an empty arg and nil facts are left out.
func (t *Trace) Event(name string, task int, arg string, facts Facts) {
	t.write(name, task, arg, facts, "harness", "")
}

// Callback writes one line of the lane task; family is a short code as ES, and may be empty.
func (t *Trace) Callback(name string, task int, family, arg string, facts Facts) {
	t.write(name, task, arg, facts, "task", family)
}

func (t *Trace) write(name string, task int, arg string, facts Facts, lane, family string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.count++
	line := Facts{"seq": t.count, "ns": now(), "lane": lane, "task": task, "ev": name}
	if family != "" {
		line["family"] = family
	}
	if arg != "" {
		line["arg"] = arg
	}
	if facts != nil {
		// A longer text would not fit a line.
		maps.DeleteFunc(facts, func(_ string, value any) bool {
			text, isText := value.(string)
			return isText && len(text) > 640<<10
		})
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

func (a Adapter) lanes() []string {
	if a.Lanes == nil {
		return []string{"harness"}
	}
	return a.Lanes
}

func (a Adapter) perform(one *Assignment) {
	put(Facts{
		"trace": "proctor", "version": 1, "client": a.Client, "clientVersion": a.Version, "adapter": a.Client,
		"adapterVersion": a.Revision, "clock": clockName, "unit": "ns", "lanes": a.lanes(), "facts": a.Facts,
		"abilities": a.Abilities, "scenario": one.Scenario, "case": one.Case, "run": one.Run,
	})
	trace := &Trace{open: map[int]bool{}}
	defer time.AfterFunc(time.Duration(one.Deadline)*time.Millisecond-margin, trace.giveUp).Stop()
	err := a.check(one)
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

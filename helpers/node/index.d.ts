/** What the client made of the reply to a step. */
export interface Result {
  status?: number;
  body?: string | Uint8Array;
  /** Why there is no reply, a name of Docs/trace-format.md such as `connectionLost`. */
  error?: string;
  /** Other facts of Docs/trace-format.md. */
  [fact: string]: unknown;
}

export interface Verdict {
  /** A word of Docs/verdicts.md. */
  outcome: string;
  /** For people: the outcome, the timeline and what was found. */
  text: string;
  /** All that the server said. */
  data: Record<string, unknown>;
}

/** A line of the journal, as Docs/journal.md says. */
export interface JournalLine {
  seq: number;
  ns: number;
  ev: string;
  connection?: number;
  request?: number;
  [key: string]: unknown;
}

export interface RunOptions {
  /** The case to judge by. */
  case?: string;
  seed?: number;
  reslice?: number;
  lifeSeconds?: number;
  /** What origins speak of which the scenario says nothing. */
  protocol?: 'h2' | 'http/1.1';
}

/** One run of a scenario: ports, turns and journal of its own. */
export interface Run {
  readonly id: string;
  readonly scenario: string;
  readonly case: string | undefined;
  /** The URL of the first origin. */
  readonly base: string;
  readonly origins: Record<string, string>;
  /** All that the server said of the run. */
  readonly info: Record<string, unknown>;
  /** The variables that lead common clients here: addresses, proxies, the authority. */
  readonly environment: Record<string, string>;
  /** The authority to trust, PEM, and the path of a file with it; where the scenario has https. */
  readonly ca: string | undefined;
  readonly trust: string | undefined;
  /** The URL of a path at the first origin, or at the one that is named. */
  url(path?: string, origin?: string): string;
  /** Any call of the control API about this run, such as `run.ask('PATCH', 'state', { left: 7 })`. */
  ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** What happened behind line `after`; waits up to `wait` milliseconds for something to come. */
  journal(options?: { after?: number; wait?: number }): Promise<JournalLine[]>;
  /** Goes back to the first turn and an empty journal; the run is to be judged anew. */
  reset(): Promise<void>;
  /**
   * Judges the run by a case, when what is under way has come to its end, or after `timeout` milliseconds (5000).
   * `result` says what the client made of the reply, a list does for several steps, and a text is a whole trace
   * (Docs/trace-format.md); without it the requests alone are judged. Rejects with an AssertionError, which has the
   * timeline, unless something was judged and all of that held, or the case asks for nothing.
   */
  verdict(name?: string, result?: Result | Result[] | string, options?: { timeout?: number }): Promise<Verdict>;
  /** What `verdict` says, without an AssertionError. */
  judge(name?: string, result?: Result | Result[] | string, options?: { timeout?: number }): Promise<Verdict>;
  /** What happened, an event a line. */
  timeline(): Promise<string>;
}

export interface Proctor {
  /** A run of a scenario. */
  run(scenario: string, options?: RunOptions): Promise<Run>;
  /** A run of the scenario whose YAML or JSON is given. */
  inline(text: string, options?: { case?: string }): Promise<Run>;
  /** A run of exchanges that `on` made; it fails by a request that none expects, and by one that never comes. */
  expect(...exchanges: Exchange[]): Promise<Run>;
}

/** A status, a body, or a reply as Docs/fixtures.md has it, with status 200 unless it says otherwise. */
export type Reply = number | string | Record<string, unknown>;

/** An exchange as Docs/fixtures.md has it. */
export interface Exchange {
  request: unknown;
  reply: unknown[];
  optional?: boolean;
  times?: unknown;
}

/**
 * What is asked, as `'GET /job'` or as a mapping of method, path and patterns (with `optional` and `times` beside them), and the
 * reply to each time, in turn; the last one stays. Without a reply it is an empty 200.
 */
export function on(request: string | Record<string, unknown>, ...replies: Reply[]): Exchange;

/** What this module needs of the context of a test. */
export interface Context {
  after(hook: () => Promise<void>): void;
  diagnostic(message: string): void;
}

/** The server can't be had, or refuses a call. */
export class ProctorError extends Error {}

/**
 * What makes runs for the test with the context `t`. A run that the test has not judged itself is judged at its end;
 * then all its runs are deleted.
 */
export function proctor(t: Context): Proctor;

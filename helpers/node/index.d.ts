/** What the client made of the reply to a step. */
export interface Result {
  status?: number;
  body?: string | Uint8Array;
  /** Why there is no reply, a name of Docs/judging/traces.md such as `connectionLost`. */
  error?: string;
  /** Other facts of Docs/judging/traces.md. */
  [fact: string]: unknown;
}

export interface Verdict {
  /** A word of Docs/judging/verdicts.md. */
  outcome: string;
  /** The codes of `judge` in Docs/use/client.md, such as `no-client-came`. */
  codes: string[];
  /** For people: the outcome, the timeline and what was found. */
  text: string;
  /** All that the server said. */
  data: Record<string, unknown>;
}

/** A line of the journal, as Docs/judging/journal.md says. */
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
  /** The same for a WebSocket: `ws:`, or `wss:` where the origin speaks TLS. */
  wsURL(path?: string, origin?: string): string;
  /** Any call of the control API about this run, such as `run.call('PATCH', 'state', { left: 7 })`. */
  call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** What happened behind line `after`; waits up to `wait` milliseconds for something to come. */
  journal(options?: { after?: number; wait?: number }): Promise<JournalLine[]>;
  /** Goes back to the first turn and an empty journal; the run is to be judged anew. */
  reset(): Promise<void>;
  /**
   * Judges the run by a case, when what is under way has come to its end, or after `within` milliseconds (5000).
   * `result` says what the client made of the reply, a list does for several steps, and a text is a whole trace
   * (Docs/judging/traces.md); without it the requests alone are judged. Rejects with an AssertionError, which has the
   * timeline, where the verdict is a failure (Docs/judging/verdicts.md).
   */
  verdict(name?: string, result?: Result | Result[] | string, options?: { within?: number }): Promise<Verdict>;
  /** What `verdict` says, without an AssertionError. */
  judge(name?: string, result?: Result | Result[] | string, options?: { within?: number }): Promise<Verdict>;
  /** What happened, an event a line; before it what went wrong. */
  timeline(): Promise<string>;
}

export interface Proctor {
  /** A run of a scenario. */
  run(scenario: string, options?: RunOptions): Promise<Run>;
  /** A run of the scenario whose YAML or JSON is given. */
  inline(text: string, options?: { case?: string }): Promise<Run>;
  /** A run of stubs that `on` made; it fails by a request that none expects, and by one that never comes. */
  expect(...stubs: Stub[]): Promise<Run>;
  /**
   * A stub of the test: `proctor(t).on('GET /items').reply(200, { json: [] }).times(2)` (Docs/use/stubs.md). All stubs stand before the
   * first `url`. The test fails by a request that none of them expects, and by one that never comes.
   */
  on(request: string | Record<string, unknown>, patterns?: Patterns): Stub;
  /** What the stubs' server is, by the keys of Docs/format/origins.md: `{ scheme: 'https', host: 'api.example.org' }`. */
  origin(keys: Record<string, unknown>): void;
  /** The run of the stubs, which is opened when it is first asked for. */
  stubbed(): Promise<Run>;
  /** The URL of a path at the stubs. */
  url(path?: string): Promise<string>;
  /** The same for a WebSocket: `ws:`, or `wss:` where the stubs speak TLS. */
  wsURL(path?: string): Promise<string>;
  /** The authority to trust where the stubs speak TLS, PEM; undefined without TLS. */
  ca(): Promise<string | undefined>;
  /** All requests that came to the stubs so far, also those that none expected. */
  requests(): Promise<Request[]>;
  /** Judges the stubs now, when what is under way has come to its end; without it they are judged at the end of the test. */
  verify(options?: { within?: number }): Promise<Verdict>;
}

/** A status, a body, or a reply as Docs/format/replies.md has it, with status 200 unless it says otherwise. */
export type Reply = number | string | Record<string, unknown>;

/** What a request has besides method and target, by the keys of Docs/format/requests.md. */
export interface Patterns {
  json?: unknown;
  headers?: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  query?: Record<string, unknown>;
  form?: Record<string, unknown>;
  body?: unknown;
  [key: string]: unknown;
}

/** What a reply has besides its status; other keys are those of Docs/format/replies.md. */
export interface ReplyParts {
  /** Content, with `Content-Type: application/json` unless `headers` has another. */
  json?: unknown;
  body?: unknown;
  headers?: Record<string, string | number> | [string, string | number][];
  /** In place of content: the turns of a WebSocket, which is accepted by 101, or the events of a stream. */
  websocket?: unknown;
  events?: unknown;
  [key: string]: unknown;
}

/** A request that came. */
export interface Request {
  method: string;
  target: string;
  /** Names and values in order; a name may come twice. */
  fields: [string, string][];
  /** Without its content codings; as it came where it is not what they say. */
  body: Uint8Array;
  /** As it came. */
  codedBody: Uint8Array;
  text: string;
  /** Throws a SyntaxError where the content is no JSON. */
  json: unknown;
  /** When its head came, in milliseconds of a clock that does not jump: the difference of two is what they are apart. */
  time: number;
  /** What the client sent on the WebSocket that it opened; Ping, Pong and Close are none. */
  messages: (string | Uint8Array)[];
  /**
   * How it ended: its reply was sent to its end, or before that the client closed the connection, or reset it or the stream. Undefined
   * while it is under way, and where the server ended it.
   */
  end: 'read' | 'left' | 'reset' | undefined;
  /** The stub that answered it; undefined where none did. */
  stub: Stub | undefined;
  /** The values of a field, joined by commas; undefined without it. */
  header(name: string): string | undefined;
}

/** One exchange of a test. */
export interface Stub {
  /** What the request has besides. */
  having(patterns: Patterns): Stub;
  /** One reply; of several each is sent once, in turn, and the last one stays. Without any the reply is an empty 200. */
  reply(status?: number, what?: string | Uint8Array | ReplyParts): Stub;
  /** Without a status it is 200, or what a `websocket` or a `script` says. */
  reply(what: ReplyParts): Stub;
  /** Exactly so many requests, 1 to 1,000,000. */
  times(count: number): Stub;
  /** At least so many requests, 1 to 1,000,000. */
  atLeast(count: number): Stub;
  /** The test passes without a request to the stub. */
  optional(): Stub;
  /** Another key of an exchange (Docs/format/requests.md), as `reads`. */
  setting(key: string, value: unknown): Stub;
  /** The requests that this stub has answered so far, in the order in which they came. */
  requests(): Promise<Request[]>;
}

/**
 * A stub for `expect`: what is asked, as `'GET /job'` or as a mapping of method, path and patterns (with `optional` and `times` beside
 * them), and in short the reply to each time, in turn; the last one stays. Without a reply it is an empty 200.
 */
export function on(request: string | Record<string, unknown>, ...replies: Reply[]): Stub;

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

/**
 * The function of a test, for every runner whose tests are async functions: Jest, Vitest, Mocha, node:test. What `body` throws gets the
 * timeline behind its message.
 */
export function withProctor(body: (proctor: Proctor) => unknown): () => Promise<void>;

/** One load that the client is to make: what is asked, how questions are answered, and what comes of it. */
export interface Load {
  /** The name of the case. */
  case: string;
  method: string;
  url: string;
  /** Names and values in order; a name may come twice. */
  fields: [string, string][];
  form: [string, string][];
  query: [string, string][];
  /** The content, or undefined. */
  body: Uint8Array | undefined;
  /** Whether the length of the content is not to be known beforehand. */
  isStreamed: boolean;
  /** Whether redirects are followed; `step.onRedirect` has the answers where they differ. */
  follows: boolean;
  /** For any challenge. */
  credential?: { user: string; password: string } | { token: string };
  cancelsAt?: { event: string; count: number };
  /** Milliseconds of silence after which the client is to give up. */
  timeout?: number;
  /** The file of the only authorities to trust, PEM. */
  trust?: string;
  identity?: { certificate: string; key: string };
  /** The URL of the proxy for everything. */
  proxy?: string;
  keepsCookies: boolean;
  /** Ends with the case, at the latest at its deadline. */
  signal: AbortSignal;
  /** The second argument of `fetch`, with a dispatcher that knows the names of the case and its authority. */
  init: RequestInit;
  /** The step and the session of the assignment, as Docs/clients/assignment.md has them. */
  step: Record<string, unknown>;
  session: Record<string, unknown>;
  /** What `make` gave at the first load of the case, for all its loads. */
  once<Made>(make: () => Made): Made;
  /** Throw it where the client can't be told a part of the program: the case is skipped with the reason. */
  cannot(reason: string): Error;
  result(reply: Response | { status: number; headers?: Headers | [string, string][] | Record<string, string>; url?: string; body?: string | Uint8Array }): Promise<Result>;
  /** A failure by its name, as `timedOut` (Docs/judging/traces.md), with what else is known, as `status`. */
  error(name: string, message?: string, partial?: Result): Result;
}

export interface ExamOptions {
  /** What reports and the ledger call the client, and its version. */
  client?: string;
  version?: string;
  /** What the client has (Docs/clients/abilities.md); a case that needs another ability is skipped. */
  abilities?: string[];
  /** The events at which the client can be cancelled. */
  moments?: string[];
  protocol?: 'h2' | 'http/1.1';
  /** A file of failures that are known; with the variable PROCTOR_WRITE_LEDGER it is brought up to date. */
  ledger?: string | URL;
  /** Milliseconds for one case. */
  timeout?: number;
}

/** Makes each case of an exam a test of its own, by the `test` of node:test or Vitest. */
export function exam(
  test: (name: string, options: { timeout: number; skip: string | false }, run: (context: unknown) => Promise<void>) => unknown,
  cases: string[], options: ExamOptions, client: (load: Load) => Result | Promise<Result>,
): Promise<void>;

/** The neutral name of what a client threw, by it and by its causes (Docs/judging/traces.md). */
export function errorName(error: unknown): string;

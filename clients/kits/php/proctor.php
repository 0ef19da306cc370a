<?php
// The frame of an adapter for Proctor: assignments on standard input, traces on standard output (Docs/clients/adapters.md).
//
//   require 'proctor.php';
//   exit(proctor\main(new Tiny));
//
// PHP leaves no call of a library before it returns. So the program runs twice: one process does the loads, and the other, which
// knows the deadline, hands its lines over, and gives up in its place. It needs the extensions pcntl and posix.

namespace proctor;

// Bytes of a body that are told (in base64 they fit a line of 1 MiB), and bytes of one that is sent.
const BODY_LIMIT = 640 << 10, UPLOAD_LIMIT = 256 << 20;
// Seconds before the deadline at which an adapter gives up.
const MARGIN = 0.2;
const DONE = 0, USAGE = 64, UNREAD = 74;

/** The program asks for what the client can't be told; the code is the number of the step. */
final class Unimplemented extends \Exception {}
/** The program has the adapter cancel the load. */
final class Cancelled extends \Exception {}

/** A client without callbacks. */
abstract class Adapter
{
    public string $client = '', $revision = '1';
    /** @var list<string> */
    public array $abilities = [], $facts = [], $moments = [];

    abstract public function version(): string;

    /** Does all steps; `$trace->say` tells of them. */
    abstract public function run(array $assignment, Trace $trace): void;

    public function cannot(int $index, string $key, string $reason): never
    {
        throw new Unimplemented("steps[$index].$key: {$this->client} $reason", $index);
    }

    /** Throws for the first part of a program that the client can't be told; nothing has begun yet. */
    public function check(array $assignment): void
    {
        foreach (array_diff($assignment['needs'] ?? [], $this->abilities) as $word) {
            throw new Unimplemented("needs: {$this->client} has no $word");
        }
        foreach ($assignment['steps'] as $index => $step) {
            $answers = array_column(array_slice($step['onChallenge'], 0, $step['challengeCount'] ?? null), 'answer');
            if (in_array('use', $answers) && !array_intersect(['basic', 'digest', 'bearer'], $this->abilities)) {
                $this->cannot($index, 'onChallenge', 'answers no challenge');
            }
            if (!isset($step['beforehand'])) $this->cannot($index, 'beforehand', 'is told no such answers before a load');
            $event = $step['cancelAt']['event'] ?? null;
            $is_late = $event === 'response' && $step['cancelAt']['count'] > 1;
            if ($event !== null && ($is_late || !in_array($event, $this->moments))) {
                $this->cannot($index, 'cancelAt', "can't be cancelled then");
            }
            // A question in whose callback the load is cancelled is not answered.
            $answer = $event === 'response' ? 'allow' : $step['onResponse'] ?? 'allow';
            if (!in_array($answer, ['allow', 'cancel'])) $this->cannot($index, 'onResponse', "can't say $answer");
            if (isset($step['download'])) $this->cannot($index, 'download', 'decides nothing about a file');
        }
    }
}

/** Writes lines of lane `harness`; each has left this process when the call returns. */
final class Trace
{
    private int $count = 0;

    public function __construct(Adapter $adapter, array $assignment, private $output)
    {
        $this->line([
            'trace' => 'proctor', 'version' => 1, 'client' => $adapter->client, 'clientVersion' => $adapter->version(),
            'adapter' => $adapter->client, 'adapterVersion' => $adapter->revision, 'lanes' => ['harness'], 'unit' => 'ns',
            'clock' => PHP_OS_FAMILY === 'Linux' ? 'monotonic' : 'other', 'facts' => $adapter->facts,
            'abilities' => $adapter->abilities, ...array_intersect_key($assignment, ['scenario' => 0, 'case' => 0, 'run' => 0])]);
    }

    public function say(string $event, int $task = 0, array $rest = []): void
    {
        // A longer text would not fit a line.
        $fits = fn($value) => !is_string($value) || strlen($value) <= BODY_LIMIT;
        if (isset($rest['facts'])) $rest['facts'] = (object) array_filter($rest['facts'], $fits);
        $this->line(['seq' => ++$this->count, 'ns' => hrtime(true), 'lane' => 'harness', 'task' => $task, 'ev' => $event] + $rest);
    }

    private function line(array $value): void
    {
        write($this->output, json_encode($value, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
    }
}

function write($output, string $text): void
{
    while ($text !== '') {
        $sent = @fwrite($output, $text);
        if (!$sent) exit(UNREAD);
        $text = substr($text, $sent);
    }
}

/** The bytes of a step's body; null where it has none. */
function content(array $step): ?string
{
    if (!isset($step['body'])) return null;
    $data = isset($step['body']['base64']) ? base64_decode($step['body']['base64']) : $step['body']['text'] ?? '';
    $count = $data === '' ? 0 : $step['body']['count'] ?? strlen($data);
    if ($count > UPLOAD_LIMIT) throw new Unimplemented('a body has at most ' . UPLOAD_LIMIT . " bytes, not $count");
    return $count ? substr(str_repeat($data, intdiv($count, strlen($data)) + 1), 0, $count) : '';
}

/** Whether the length of a step's body is not to be known. */
function is_streamed(array $step): bool
{
    return isset($step['body']) && (str_ends_with($step['bodyForm'], 'stream') || str_ends_with($step['bodyForm'], 'pair'));
}

/** The length of a body, and the body itself where `$body` is all of it. */
function body_facts(string $body, int $count): array
{
    $facts = ['bytes' => $count];
    if (strlen($body) !== $count || $count > BODY_LIMIT) return $facts;
    $is_text = preg_match('//u', $body) && !str_contains($body, "\0");
    return $facts + ($is_text ? ['body' => $body] : ['bodyBase64' => base64_encode($body)]);
}

/** What `$find` gives for each field that the program asks for; null for none. */
function field_facts(array $step, callable $find): array
{
    $lines = [];
    foreach ($step['fieldNames'] ?? [] as $name) {
        if (($value = $find($name)) !== null) $lines[] = "$name: $value";
    }
    return empty($step['fieldNames']) ? [] : ['header' => implode("\n", $lines)];
}

/** The media type alone; null where there is none. */
function mime(?string $type): ?string
{
    return strtolower(trim(explode(';', $type ?? '')[0])) ?: null;
}

function read(Adapter $adapter, string $text): array
{
    $assignment = json_decode($text, true);
    $is_whole = is_array($assignment) && ($assignment['version'] ?? 0) === 1 && is_int($assignment['deadline'] ?? null)
        && is_array($assignment['session'] ?? null) && !empty($assignment['steps']);
    foreach ($is_whole ? $assignment['steps'] : [] as $step) {
        $is_whole = $is_whole && isset($step['method'], $step['url'], $step['headers'], $step['bodyForm'], $step['onChallenge']);
    }
    if ($is_whole) return $assignment;
    fwrite(STDERR, "{$adapter->client} adapter: standard input has no assignment of version 1\n");
    exit(USAGE);
}

/** The process that does the loads: a line in, a trace out, and an empty line behind it. */
function work(Adapter $adapter, $channel): void
{
    while (($text = fgets($channel)) !== false) {
        $assignment = json_decode($text, true);
        $trace = new Trace($adapter, $assignment, $channel);
        try {
            $adapter->check($assignment);
            $adapter->run($assignment, $trace);
        } catch (Unimplemented $error) {
            $trace->say('unimplemented', $error->getCode(), ['arg' => $error->getMessage()]);
        }
        write($channel, "\n");
    }
}

/** Hands the lines of one trace over, and gives up at the deadline. */
function watch(array $assignment, $channel, int $worker, bool $is_many): void
{
    $end = hrtime(true) + (int) (max(100, $assignment['deadline'] - MARGIN * 1000) * 1e6);
    [$open, $count, $rest] = [[], 0, ''];
    stream_set_blocking($channel, false);
    while (true) {
        $left = $end - hrtime(true);
        if ($left <= 0) break;
        [$ready, $none] = [[$channel], null];
        if (!stream_select($ready, $none, $none, intdiv($left, 1_000_000_000), intdiv($left % 1_000_000_000, 1000))) continue;
        $rest .= $piece = (string) fread($channel, 1 << 20);
        if ($piece === '' && feof($channel)) leave_as($worker);
        while (($at = strpos($rest, "\n")) !== false) {
            [$line, $rest] = [substr($rest, 0, $at), substr($rest, $at + 1)];
            if ($line === '') {
                if ($is_many) write(STDOUT, "\n");
                stream_set_blocking($channel, true);
                return;
            }
            write(STDOUT, "$line\n");
            if (!preg_match('/^{"seq":(\d+),.*?"task":(\d+),"ev":"(\w+)"/', $line, $found)) continue;
            $count = (int) $found[1];
            if ($found[3] === 'resume') $open[$found[2]] = true;
            if ($found[3] === 'result') unset($open[$found[2]]);
        }
    }
    posix_kill($worker, SIGKILL);
    foreach (array_keys($open) as $task) {
        $facts = ['error' => 'timedOut', 'domain' => 'adapter', 'message' => 'the step had not ended at the deadline'];
        write(STDOUT, json_encode([
            'seq' => ++$count, 'ns' => hrtime(true), 'lane' => 'harness', 'task' => $task, 'ev' => 'result', 'facts' => $facts]) . "\n");
    }
    if ($is_many) write(STDOUT, "\n");
    exit(DONE);
}

/** Ends as the process of the loads ended: a client that crashed is a result. */
function leave_as(int $worker): never
{
    pcntl_waitpid($worker, $status);
    if (pcntl_wifsignaled($status)) {
        pcntl_signal(pcntl_wtermsig($status), SIG_DFL);
        posix_kill(getmypid(), pcntl_wtermsig($status));
    }
    exit(pcntl_wexitstatus($status) ?: 70);
}

/** The whole program; gives its exit code. */
function main(Adapter $adapter): int
{
    $words = array_slice($_SERVER['argv'], 1);
    if ($words === ['--version']) {
        echo "{$adapter->client} {$adapter->version()}\n";
        return DONE;
    }
    if ($words) {
        fwrite(STDERR, "{$adapter->client} adapter: unknown argument '$words[0]'; expected none or --version\n");
        return USAGE;
    }
    $is_many = getenv('PROCTOR_ASSIGNMENTS') === 'many';
    [$ours, $channel] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $worker = pcntl_fork();
    if ($worker === 0) {
        fclose($ours);
        fclose(STDIN);
        work($adapter, $channel);
        return DONE;
    }
    fclose($channel);
    while (($text = $is_many ? fgets(STDIN) : stream_get_contents(STDIN)) !== false && $text !== '') {
        $assignment = read($adapter, $text);
        write($ours, json_encode($assignment, JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION) . "\n");
        watch($assignment, $ours, $worker, $is_many);
    }
    if (!isset($assignment) && !$is_many) read($adapter, '');
    return DONE;
}

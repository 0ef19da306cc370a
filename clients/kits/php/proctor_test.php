<?php
// The test of the kit: php proctor_test.php. It needs PHP with pcntl and posix.

require __DIR__ . '/proctor.php';

use proctor\{Adapter, Trace};

/** A client that answers by itself, and hangs or crashes where it is told to. */
final class Tiny extends Adapter
{
    public string $client = 'tiny';
    public array $abilities = ['redirects'], $facts = ['status', 'bytes', 'body'];

    public function version(): string
    {
        return '1.0';
    }

    public function run(array $assignment, Trace $trace): void
    {
        foreach ($assignment['steps'] as $index => $step) {
            $trace->say('resume', $index);
            if (str_ends_with($step['url'], '/hang')) sleep(60);
            if (str_ends_with($step['url'], '/crash')) posix_kill(getmypid(), SIGSEGV);
            $trace->say('result', $index, ['facts' => ['status' => 200] + proctor\body_facts('ok', 2)]);
        }
    }
}

if (array_slice($argv, 1) === ['child']) {
    $_SERVER['argv'] = [$argv[0]];
    exit(proctor\main(new Tiny()));
}

function same(mixed $wanted, mixed $got): void
{
    if ($wanted === $got) return;
    fwrite(STDERR, 'wanted ' . var_export($wanted, true) . ', got ' . var_export($got, true) . ' at line ' . debug_backtrace()[0]['line'] . "\n");
    exit(1);
}

same(null, proctor\content([]));
same('abcabca', proctor\content(['body' => ['text' => 'abc', 'count' => 7]]));
same("\0\xFF", proctor\content(['body' => ['base64' => 'AP8=']]));
same(['bytes' => 2, 'body' => 'ok'], proctor\body_facts('ok', 2));
same(['bytes' => 1, 'bodyBase64' => '/w=='], proctor\body_facts("\xFF", 1));
same(['bytes' => 9], proctor\body_facts('ok', 9));
same('text/plain', proctor\mime('Text/Plain; charset=utf-8'));
same(null, proctor\mime(''));
same(['header' => 'A: 1'], proctor\field_facts(['fieldNames' => ['A', 'B']], fn($name) => $name === 'A' ? '1' : null));

function step(string $url, array $rest = []): array
{
    return $rest + ['method' => 'GET', 'url' => $url, 'headers' => [], 'bodyForm' => 'data', 'onRedirect' => [['answer' => 'follow']],
        'onChallenge' => [], 'beforehand' => ['follow' => true]];
}

function assignment(array $steps, array $rest = []): string
{
    return json_encode($rest + ['version' => 1, 'deadline' => 5000, 'session' => ['cookies' => 'never'], 'steps' => $steps]);
}

/** What it wrote, and its exit code or the negative number of its signal. */
function run(string $input, bool $is_many = false): array
{
    $environment = getenv() + ($is_many ? ['PROCTOR_ASSIGNMENTS' => 'many'] : []);
    $process = proc_open([PHP_BINARY, __FILE__, 'child'], [['pipe', 'r'], ['pipe', 'w'], ['file', '/dev/null', 'w']], $pipes, null, $environment);
    fwrite($pipes[0], $input);
    fclose($pipes[0]);
    $output = stream_get_contents($pipes[1]);
    while (($status = proc_get_status($process))['running']) usleep(1000);
    return [$output, $status['signaled'] ? -$status['termsig'] : $status['exitcode']];
}

function events(string $output): array
{
    return array_map(fn($line) => json_decode($line, true), array_slice(explode("\n", trim($output)), 1));
}

[$output, $code] = run(assignment([step('http://a/')]));
same([0, ['resume', 'result']], [$code, array_column(events($output), 'ev')]);
same(['needs: tiny has no cookie-jar'], array_column(events(run(assignment([step('http://a/')], ['needs' => ['cookie-jar']]))[0]), 'arg'));
$late = step('http://a/', ['cancelAt' => ['event' => 'data', 'count' => 1]]);
same(["steps[1].cancelAt: tiny can't be cancelled then"], array_column(events(run(assignment([step('http://a/'), $late]))[0]), 'arg'));
[$output, $code] = run(assignment([step('http://a/hang')], ['deadline' => 500]));
same([0, 'adapter'], [$code, events($output)[1]['facts']['domain']]);
same(-SIGSEGV, run(assignment([step('http://a/crash')]))[1]);
[$output, $code] = run(str_repeat(assignment([step('http://a/')]) . "\n", 2), true);
same([0, 2], [$code, substr_count($output, "}\n\n")]);
foreach (['', '{}', '{"version": 2}', 'nothing'] as $text) same(64, run($text)[1]);
echo "the kit for PHP keeps its rules\n";

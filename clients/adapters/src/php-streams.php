<?php
// An adapter of Proctor for the streams of PHP over http and https, as fopen() and file_get_contents() open them
// (Docs/clients/adapters.md).
//
// What they are told, so that they neither get help nor are hindered:
//
// - `fopen()` with a context of its own for each step: there is no session, each request has a connection of its own.
// - `ignore_errors`, so that the content of an error is delivered; `follow_location`, with a limit of its own (20 redirects).
// - They can't be told addresses: names are reached by `namesProxy` (the option `proxy` with `request_fulluri` for http), loopback
//   addresses without it. That is decided before a load: where a redirect leads from a name to an address, or from an
//   address to a name, the step is `unimplemented`. Where there is no such proxy, a port that nobody listens at stands for it.
// - The header lines as a list. A form and a query are encoded by urlencode() (http_build_query() takes no name twice).
// - `cafile`, `local_cert` and `local_pk`; `timeout` for silence.
// - To cancel is fclose(): at the head, or at a piece of the body that fread() hands over.
//
// They keep no cookies, answer no challenges, send no body of unknown length, and undo no codings: a step whose content is coded
// is `unimplemented`. They do not tell the URL that they came to.

require __DIR__ . '/../../kits/php/proctor.php';

use proctor\{Adapter, Cancelled, Trace};

final class Streams extends Adapter
{
    public string $client = 'php-streams';
    public array $abilities = [
        'methods', 'repeated-fields', 'verbatim-urls', 'encodes-values', 'redirects', 'redirect-refuse', 'challenge-default', 'proxy',
        'proxy-tunnel', 'trust', 'identity', 'response-answers', 'cancel', 'time-limit-silence'];
    public array $facts = ['status', 'mime', 'bytes', 'body', 'error', 'message', 'header'];
    public array $moments = ['response', 'data', 'progress'];

    /** What PHP's messages say: the first that is found counts. */
    private const ERRORS = [
        'Redirection limit reached' => 'tooManyRedirects', 'Unable to find the wrapper' => 'unsupportedURL',
        'Invalid redirect URL' => 'badURL', 'not among the names' => 'cannotFindHost', 'getaddrinfo' => 'cannotFindHost',
        'did not match expected CN' => 'serverCertificateUntrusted', 'Unable to locate peer certificate CN' => 'serverCertificateUntrusted',
        'certificate has expired' => 'serverCertificateHasBadDate', 'certificate verify failed' => 'serverCertificateUntrusted',
        'alert certificate required' => 'clientCertificateRequired', 'alert bad certificate' => 'clientCertificateRejected',
        'alert certificate revoked' => 'clientCertificateRejected', 'alert unknown ca' => 'clientCertificateRejected',
        'alert certificate expired' => 'clientCertificateRejected', 'alert unsupported certificate' => 'clientCertificateRejected',
        'unexpected eof' => 'connectionLost', 'Failed to enable crypto' => 'secureConnectionFailed',
        'SSL' => 'secureConnectionFailed', 'timed out' => 'timedOut', 'Connection refused' => 'cannotConnect',
        'Cannot connect to HTTPS server through proxy' => 'cannotConnect', 'reset by peer' => 'connectionLost',
        'no Location' => 'badServerResponse', 'HTTP request failed' => 'badServerResponse', 'failed to parse address' => 'badURL',
        'Failed to open stream' => 'unknown',
    ];

    private array $complaints = [];

    public function version(): string
    {
        return PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION . '.' . PHP_RELEASE_VERSION;
    }

    public function check(array $assignment): void
    {
        parent::check($assignment);
        foreach ($assignment['steps'] as $index => $step) {
            if ($step['method'] === 'CONNECT') $this->cannot($index, 'method', 'delivers no tunnel');
            if (str_contains($step['url'], "\0")) $this->cannot($index, 'url', 'takes no NUL in the name of a file');
            if (!preg_match('#^https?://#i', $step['url'])) $this->cannot($index, 'url', 'takes what is no URL of HTTP for a file');
        }
    }

    public function run(array $assignment, Trace $trace): void
    {
        foreach ($assignment['steps'] as $index => $step) {
            $trace->say('resume', $index);
            $trace->say('result', $index, ['facts' => $this->load($assignment['session'], $step, $index, $trace)]);
        }
    }

    private function load(array $session, array $step, int $index, Trace $trace): array
    {
        [$facts, $body, $count, $pieces] = [[], '', 0, 0];
        $this->complaints = [];
        set_error_handler(function (int $level, string $text) {
            // A notice, as that a type is assumed for a form, fails nothing.
            if ($level !== E_NOTICE) $this->complaints[] = $text;
            return true;
        });
        $cancel = function () use ($trace, $index, &$stream) {
            $trace->say('cancel', $index);
            fclose($stream);
            throw new Cancelled();
        };
        $is_moment = fn(int $number, string ...$events) =>
            in_array($step['cancelAt']['event'] ?? '', $events) && $step['cancelAt']['count'] === $number;
        try {
            $stream = fopen($this->url($step), 'rb', false, stream_context_create($this->options($session, $step)));
            $heads = $this->heads($stream ? stream_get_meta_data($stream)['wrapper_data'] : $http_response_header ?? []);
            $this->refuse_ways($session, $step, $index, $heads);
            if ($stream) {
                $facts = $this->head_facts($step, $index, end($heads) ?: []);
                if ($is_moment(1, 'response') || ($step['onResponse'] ?? '') === 'cancel') $cancel();
                while (!feof($stream)) {
                    $piece = fread($stream, isset($step['cancelAt']) ? 1 : 8192);
                    if (stream_get_meta_data($stream)['timed_out']) $this->complaints[] = 'the read timed out';
                    if ($piece === false || $piece === '' && $this->complaints) break;
                    if ($piece === '') continue;
                    $count += strlen($piece);
                    if (strlen($body) <= proctor\BODY_LIMIT) $body .= $piece;
                    if ($is_moment(++$pieces, 'data', 'progress')) $cancel();
                }
                fclose($stream);
            }
            if (!$stream || $this->complaints) $facts += $this->failure();
        } catch (Cancelled) {
            $facts += ['error' => 'cancelled', 'domain' => $this->client];
        } finally {
            restore_error_handler();
        }
        return $facts + proctor\body_facts($body, $count);
    }

    private function failure(): array
    {
        // The innermost cause comes first.
        $text = implode('; ', $this->complaints) ?: 'fopen() gave no stream, and no reason';
        $name = 'unknown';
        foreach (self::ERRORS as $words => $word) {
            if (stripos(strtr($text, '_', ' '), $words) === false) continue;
            $name = $word;
            break;
        }
        return ['error' => $name, 'domain' => $this->client, 'message' => substr($text, 0, 2000)];
    }

    private function encoded(array $pairs): string
    {
        return implode('&', array_map(fn(array $pair) => urlencode($pair[0]) . '=' . urlencode($pair[1]), $pairs));
    }

    private function url(array $step): string
    {
        if (!isset($step['query'])) return $step['url'];
        return $step['url'] . (str_contains($step['url'], '?') ? '&' : '?') . $this->encoded($step['query']);
    }

    private function options(array $session, array $step): array
    {
        $lines = array_map(fn(array $pair) => "$pair[0]: $pair[1]", $step['headers']);
        $http = ['method' => $step['method'], 'ignore_errors' => true, 'follow_location' => (int) $step['beforehand']['follow']];
        if (isset($step['form'])) $http['content'] = $this->encoded($step['form']);
        elseif (isset($step['body'])) $http['content'] = proctor\content($step);
        $has_type = array_filter($step['headers'], fn(array $pair) => strcasecmp($pair[0], 'Content-Type') === 0);
        if (isset($step['form']) && !$has_type) $lines[] = 'Content-Type: application/x-www-form-urlencoded';
        if ($lines) $http['header'] = $lines;
        $silence = $step['timeout'] ?? $session['requestTimeout'] ?? null;
        if ($silence) $http['timeout'] = $silence / 1000;
        $way = $session['proxy'] ?? ($this->is_name($step['url']) ? $session['namesProxy'] ?? '127.0.0.1:9' : null);
        if ($way !== null) {
            $http['proxy'] = "tcp://$way";
            $http['request_fulluri'] = preg_match('#^http:#i', $step['url']) === 1;
        }
        $ssl = [];
        if (isset($session['trust'])) $ssl['cafile'] = $session['trust'];
        if (isset($session['identity'])) {
            $ssl += ['local_cert' => $session['identity']['certificate'], 'local_pk' => $session['identity']['key']];
        }
        return ['http' => $http, 'ssl' => $ssl];
    }

    /** Whether a host is one that no proxy of names is asked for; false for a reference without a host. */
    private function is_name(string $url): bool
    {
        $host = preg_match('#^[a-z]+://(?:[^/?\#@]*@)?(\[[^]]*\]|[^/?\#:]*)#i', $url, $found) ? $found[1] : '';
        return $host !== '' && !preg_match('/^(\[.*\]|[0-9.]+|localhost\.?)$/i', $host);
    }

    /** The heads of all responses of a load, each as a list of a status and lines. */
    private function heads(array $lines): array
    {
        $heads = [];
        foreach ($lines as $line) {
            if (preg_match('#^HTTP/\S+\s+(\d+)#', $line, $found)) $heads[] = ['status' => (int) $found[1], 'fields' => []];
            elseif ($heads) $heads[array_key_last($heads)]['fields'][] = explode(':', $line, 2) + [1 => ''];
        }
        return $heads;
    }

    private function find(array $head, string $name): ?string
    {
        foreach ($head['fields'] ?? [] as [$field, $value]) {
            if (strcasecmp(trim($field), $name) === 0) return trim($value);
        }
        return null;
    }

    private function head_facts(array $step, int $index, array $head): array
    {
        if (!$head) return [];
        $facts = ['status' => $head['status']];
        $type = proctor\mime($this->find($head, 'Content-Type'));
        if ($type) $facts['mime'] = $type;
        $coding = $this->find($head, 'Content-Encoding');
        if ($coding && strcasecmp($coding, 'identity') !== 0) {
            $this->cannot($index, 'url', "undoes no coding, and the content is coded ($coding)");
        }
        return $facts + proctor\field_facts($step, fn(string $name) => $this->find($head, $name));
    }

    /** Throws where a redirect leads to where another way would have to be taken. */
    private function refuse_ways(array $session, array $step, int $index, array $heads): void
    {
        $has_proxy = isset($session['proxy']);
        if (!$step['beforehand']['follow'] || !$has_proxy && !isset($session['names'])) return;
        foreach ($heads as $head) {
            $location = $this->find($head, 'Location');
            if ($location === null || !preg_match('#^[a-z]+://#i', $location)) continue;
            // Whether a proxy is sent whole URLs is told once, and in a tunnel it would be wrong.
            $is_other = strtolower(strtok($location, ':')) !== strtolower(strtok($step['url'], ':'));
            $is_other = $has_proxy ? $is_other : $this->is_name($location) !== $this->is_name($step['url'])
                || $this->is_name($location) && $is_other;
            if ($is_other) $this->cannot($index, 'url', 'is told before a load how it comes to a proxy, and a redirect leads to another way');
        }
    }
}

exit(proctor\main(new Streams()));

<?php

declare(strict_types=1);

namespace Ramal;

use Ramal\Exception\ApiException;
use Ramal\Exception\NetworkException;
use Ramal\Exception\RamalException;
use Ramal\Exception\RequestTimeoutException;

/**
 * One request: time-out, retries, errors. Nothing here knows a resource.
 *
 * @internal
 */
final class Transport
{
    /** Routes that honour an Idempotency-Key. */
    private const KEYED = ['/calls', '/dialer', '/charges', '/users', '/extensions', '/extensions/next-available', '/contacts'];
    /** A second hang-up of the same call does no harm. */
    private const HARMLESS = '~^/calls/([^/]+/)?hangup$~';
    private const LONGEST_BACK_OFF = 8.0;

    private readonly string $base;

    /** @param array<string, string> $headers */
    public function __construct(
        string $baseUrl,
        public ?string $token,
        private readonly float $timeout,
        private readonly int $maxRetries,
        private readonly float $retryDelay,
        private readonly float $maxRetryWait,
        private readonly array $headers,
    ) {
        if ($baseUrl === '') {
            throw new \InvalidArgumentException('baseUrl is required, such as http://localhost:3000');
        }
        if (!preg_match('~^https?://~i', trim($baseUrl))) {
            throw new \InvalidArgumentException('baseUrl must begin with http:// or https://, such as http://localhost:3000');
        }
        $this->base = preg_replace('~/api/v1$~', '', rtrim(trim($baseUrl), '/')) . '/api/v1';
        // A token as it was copied: with `Bearer`, or with the end of a line of its file.
        if ($this->token !== null) {
            $this->token = trim(preg_replace('~^\s*Bearer\s+~i', '', $this->token));
        }
    }

    /**
     * The JSON of the answer; null if it has none.
     *
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @param array<string, string> $headers
     */
    public function send(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        array $headers = [],
        ?string $idempotencyKey = null,
    ): mixed {
        return $this->repeat($method, $path, $query, $body, $headers, $idempotencyKey, null);
    }

    /**
     * Writes the body of the answer to a stream while it arrives.
     *
     * @param array<string, mixed> $query
     * @param array<string, string> $headers
     * @param resource $sink
     */
    public function download(string $method, string $path, array $query, array $headers, mixed $sink): void
    {
        $this->repeat($method, $path, $query, null, ['Accept' => '*/*', ...$headers], null, $sink);
    }

    /** A value as one segment of a path. */
    public static function segment(string|int $value): string
    {
        return rawurlencode((string) $value);
    }

    /**
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @param array<string, string> $headers
     * @param resource|null $sink
     */
    private function repeat(
        string $method,
        string $path,
        array $query,
        ?array $body,
        array $headers,
        ?string $key,
        mixed $sink,
    ): mixed {
        $hasKey = $method === 'POST' && in_array($path, self::KEYED, true);
        $isSafe = $hasKey || !in_array($method, ['POST', 'PATCH'], true) || preg_match(self::HARMLESS, $path) === 1;
        if ($hasKey) {
            $headers['Idempotency-Key'] = $key ?? self::uuid();
        }
        $hasWritten = false;
        for ($attempt = 0; ; $attempt++) {
            try {
                return $this->attempt($method, $path, $query, $body, $headers, $sink, $hasWritten);
            } catch (RamalException $error) {
                $asked = $error instanceof ApiException ? $error->retryAfter : null;
                if (
                    $attempt >= $this->maxRetries
                    || $hasWritten
                    || !self::mayRepeat($error, $isSafe)
                    || ($asked !== null && $asked > $this->maxRetryWait)
                ) {
                    throw $error;
                }
                $backOff = min($this->retryDelay * 2 ** $attempt, self::LONGEST_BACK_OFF) * random_int(500, 1000) / 1000;
                usleep((int) (($asked ?? $backOff) * 1_000_000));
            }
        }
    }

    /**
     * A request that was refused before it was looked at is always repeated; one that may have been done, only if doing it twice is
     * the same. Limits of an account are for the program to decide about.
     */
    private static function mayRepeat(RamalException $error, bool $isSafe): bool
    {
        if (!$error instanceof ApiException) {
            return $isSafe;
        }
        $code = $error->errorCode;
        if ($code === 'RATE_LIMITED' || ($error->status === 429 && $code === 'UNKNOWN')) {
            return true;
        }
        return $isSafe && ($code === 'IDEMPOTENCY_KEY_IN_USE' || $error->status >= 500);
    }

    /**
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @param array<string, string> $headers
     * @param resource|null $sink
     */
    private function attempt(
        string $method,
        string $path,
        array $query,
        ?array $body,
        array $headers,
        mixed $sink,
        bool &$hasWritten,
    ): mixed {
        $address = $this->base . $path;
        $request = curl_init($address . self::queryText($query));
        $answered = [];
        $text = '';
        $milliseconds = max(1, (int) ($this->timeout * 1000));
        curl_setopt_array($request, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_NOBODY => $method === 'HEAD',
            CURLOPT_HTTPHEADER => $this->headerLines($headers, $body !== null),
            CURLOPT_CONNECTTIMEOUT_MS => $milliseconds,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$answered): int {
                if (str_starts_with($line, 'HTTP/')) {
                    $answered = [];
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $answered[strtolower($name)] = trim($value);
                }
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function ($request, string $chunk) use (&$text, $sink, &$hasWritten): int {
                $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
                if ($sink !== null && $status >= 200 && $status < 300) {
                    $hasWritten = true;
                    return (int) fwrite($sink, $chunk);
                }
                $text .= $chunk;
                return strlen($chunk);
            },
        ]);
        if ($sink === null) {
            curl_setopt($request, CURLOPT_TIMEOUT_MS, $milliseconds);
        } else {
            // A long recording may take its time, as long as something arrives.
            curl_setopt($request, CURLOPT_LOW_SPEED_LIMIT, 1);
            curl_setopt($request, CURLOPT_LOW_SPEED_TIME, max(1, (int) ceil($this->timeout)));
        }
        if ($body !== null) {
            curl_setopt($request, CURLOPT_POSTFIELDS, self::bodyText($body));
        }
        if (curl_exec($request) === false) {
            $reason = curl_error($request);
            if (curl_errno($request) === CURLE_OPERATION_TIMEDOUT) {
                throw new RequestTimeoutException("$method $address: no answer in {$this->timeout} s");
            }
            throw new NetworkException("$method $address: $reason");
        }
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if ($status < 200 || $status >= 300) {
            throw ApiException::of($status, $answered, $text);
        }
        try {
            return $text === '' ? null : json_decode($text, true, 512, JSON_THROW_ON_ERROR);
        } catch (\JsonException $error) {
            throw new NetworkException("$method $address: the answer is not JSON", 0, $error);
        }
    }

    /** @param array<string, mixed> $body */
    private static function bodyText(array $body): string
    {
        // An empty array would be a list in JSON.
        foreach (['metadata', 'webhookConstraint'] as $name) {
            if (($body[$name] ?? null) === []) {
                $body[$name] = new \stdClass();
            }
        }
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION;
        return json_encode($body, $flags);
    }

    /**
     * @param array<string, string> $headers
     *
     * @return list<string>
     */
    private function headerLines(array $headers, bool $hasBody): array
    {
        $all = [
            'accept' => 'application/json',
            'user-agent' => 'ramal-php/1.0.0',
            // curl would wait for the go-ahead of the service with larger bodies.
            'expect' => '',
            ...($this->token === null ? [] : ['authorization' => "Bearer $this->token"]),
            ...($hasBody ? ['content-type' => 'application/json'] : []),
            ...array_change_key_case($this->headers),
            ...array_change_key_case($headers),
        ];
        return array_map(static fn (string $name): string => "$name: $all[$name]", array_keys($all));
    }

    /** @param array<string, mixed> $query */
    private static function queryText(array $query): string
    {
        $given = array_filter($query, static fn (mixed $value): bool => $value !== null);
        $texts = array_map(
            static fn (mixed $value): string => is_array($value)
                ? json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES)
                : (string) $value,
            $given,
        );
        return $texts === [] ? '' : '?' . http_build_query($texts);
    }

    private static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}

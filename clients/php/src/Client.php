<?php

declare(strict_types=1);

namespace Ramal;

use Ramal\Exception\SecondFactorRequiredException;

/**
 * The client. Routes that have no method in a resource: request().
 *
 * @phpstan-import-type AccessToken from Types
 */
final class Client
{
    public readonly Calls $calls;
    public readonly Events $events;
    public readonly Extensions $extensions;
    public readonly Integrations $integrations;
    public readonly Charges $charges;
    public readonly Credits $credits;
    public readonly Users $users;
    private readonly Transport $transport;

    /**
     * @param string $baseUrl of the service, with or without /api/v1
     * @param float $timeout seconds until an attempt without an answer is given up
     * @param int $maxRetries how often a failed request is repeated where that is safe
     * @param float $retryDelay seconds before the first repetition, doubled for each further one
     * @param float $maxRetryWait the longest wait, in seconds, that the service may ask for
     * @param array<string, string> $headers sent with every request
     */
    public function __construct(
        string $baseUrl,
        ?string $token = null,
        float $timeout = 30.0,
        int $maxRetries = 2,
        float $retryDelay = 0.5,
        float $maxRetryWait = 60.0,
        array $headers = [],
    ) {
        $transport = new Transport($baseUrl, $token, $timeout, $maxRetries, $retryDelay, $maxRetryWait, $headers);
        $this->transport = $transport;
        $this->calls = new Calls($transport);
        $this->events = new Events($transport);
        $this->extensions = new Extensions($transport);
        $this->integrations = new Integrations($transport);
        $this->charges = new Charges($transport);
        $this->credits = new Credits($transport);
        $this->users = new Users($transport);
    }

    /** The access token in use. */
    public function token(): ?string
    {
        return $this->transport->token;
    }

    /**
     * Logs in and uses the new token from now on.
     *
     * @param string|callable(): string|null $code of the second factor, or a function that is called only if one is
     *     required
     * @param ?int $ttl seconds that the token lives
     *
     * @return AccessToken
     */
    public function login(
        string $email,
        #[\SensitiveParameter] string $password,
        string|callable|null $code = null,
        ?int $ttl = null,
    ): array {
        $body = ['email' => $email, 'password' => $password];
        if ($ttl !== null) {
            $body['ttl'] = $ttl;
        }
        // A code is text of digits: no text is taken for the name of a function.
        $isAsked = $code !== null && !is_string($code);
        try {
            $answer = $this->transport->send('POST', '/users/login', body: self::withCode($body, $isAsked ? null : $code));
        } catch (SecondFactorRequiredException $error) {
            if (!$isAsked) {
                throw $error;
            }
            $answer = $this->transport->send('POST', '/users/login', body: self::withCode($body, $code()));
        }
        $this->transport->token = $answer['id'];
        return $answer;
    }

    /** Ends the token. */
    public function logout(): void
    {
        $this->transport->send('POST', '/users/logout');
        $this->transport->token = null;
    }

    /**
     * Any route of the API: request('GET', '/numbers').
     *
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @param array<string, string> $headers
     */
    public function request(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        array $headers = [],
        ?string $idempotencyKey = null,
    ): mixed {
        return $this->transport->send($method, $path, $query, $body, $headers, $idempotencyKey);
    }

    /**
     * Writes the body of the answer to a stream: download('/calls', $file, ['format' => 'csv']).
     *
     * @param resource $sink
     * @param array<string, mixed> $query
     */
    public function download(string $path, mixed $sink, array $query = []): void
    {
        $this->transport->download('GET', $path, $query, [], $sink);
    }

    /**
     * @param array<string, mixed> $body
     *
     * @return array<string, mixed>
     */
    private static function withCode(array $body, ?string $code): array
    {
        return $code === null ? $body : [...$body, 'code' => $code];
    }
}

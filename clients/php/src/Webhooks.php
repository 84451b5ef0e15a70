<?php

declare(strict_types=1);

namespace Ramal;

use Ramal\Exception\WebhookVerificationException;

/**
 * Deliveries to a webhook: whether the service sent them (Standard Webhooks 1.0), and what they say.
 *
 * @phpstan-import-type WebhookEvent from Types
 */
final class Webhooks
{
    /**
     * The event, if $secret signed these very bytes a moment ago.
     *
     * @param string $body the request's body before anything parsed it: file_get_contents('php://input')
     * @param array<string, string|list<string>> $headers as getallheaders() gives them, or $_SERVER
     * @param int $tolerance seconds between webhook-timestamp and now
     * @param ?int $now Unix seconds; the clock of this machine by default
     *
     * @return WebhookEvent
     *
     * @throws WebhookVerificationException
     */
    public static function verify(
        mixed $body,
        array $headers,
        #[\SensitiveParameter] string $secret,
        int $tolerance = 300,
        ?int $now = null,
    ): array {
        if (!is_string($body)) {
            $message = 'pass the body as it came, as text, not what it was parsed to';
            throw new WebhookVerificationException('body', $message);
        }
        [$id, $timestamp, $signatures] = array_map(
            static fn (string $name): string => self::header($headers, "webhook-$name"),
            ['id', 'timestamp', 'signature'],
        );
        if ($id === '' || $timestamp === '' || $signatures === '') {
            $message = 'webhook-id, webhook-timestamp or webhook-signature is missing';
            throw new WebhookVerificationException('headers', $message);
        }
        if (!ctype_digit($timestamp) || abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
            $message = "webhook-timestamp is more than $tolerance s from now";
            throw new WebhookVerificationException('timestamp', $message);
        }
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            $message = 'the secret is `whsec_` and base64, as the integration shows it';
            throw new WebhookVerificationException('secret', $message);
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        $fits = false;
        foreach (explode(' ', $signatures) as $given) {
            $fits = hash_equals($expected, $given) || $fits;
        }
        if (!$fits) {
            $message = 'no signature fits: the body was changed, or the secret is another';
            throw new WebhookVerificationException('signature', $message);
        }
        return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    }

    /** @param array<string, mixed> $headers */
    private static function header(array $headers, string $name): string
    {
        $wanted = [$name, 'http_' . strtr($name, '-', '_')];
        foreach ($headers as $key => $value) {
            if (in_array(strtolower((string) $key), $wanted, true)) {
                return is_array($value) ? implode(' ', $value) : (string) $value;
            }
        }
        return '';
    }
}

<?php

declare(strict_types=1);

namespace Ramal;

use Ramal\Exception\RequestTimeoutException;

/**
 * @phpstan-import-type CallDetail from Types
 * @phpstan-import-type CallPage from Types
 * @phpstan-import-type CallRecord from Types
 * @phpstan-import-type CallUpdates from Types
 * @phpstan-import-type PlacedCall from Types
 * @phpstan-import-type TransferredCall from Types
 */
final class Calls
{
    private const FORMATS = ['wav', 'ogg', 'mp3'];

    private readonly CallEnds $ends;

    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
        $this->ends = new CallEnds($transport);
    }

    /**
     * @param array<string, mixed> $metadata
     * @param bool $allowDuplicate places the call although an equal one rings
     *
     * @return PlacedCall
     */
    public function place(
        string $extension,
        string $called,
        ?string $caller = null,
        ?array $metadata = null,
        ?string $idempotencyKey = null,
        bool $allowDuplicate = false,
    ): array {
        $body = ['extension' => $extension, 'called' => $called];
        if ($caller !== null) {
            $body['caller'] = $caller;
        }
        if ($metadata !== null) {
            $body['metadata'] = $metadata;
        }
        $headers = $allowDuplicate ? ['X-Allow-Duplicate' => 'true'] : [];
        return $this->transport->send('POST', '/calls', [], $body, $headers, $idempotencyKey);
    }

    /** @return CallDetail */
    public function get(string $id): array
    {
        return $this->transport->send('GET', self::path($id));
    }

    /**
     * The call once it is over.
     *
     * @param float $pollInterval seconds between requests
     * @param float $timeout seconds after which it throws; by default it waits as long as the call lasts
     *
     * @return CallDetail
     *
     * @throws RequestTimeoutException
     */
    public function waitForEnd(string $id, float $pollInterval = 2.0, float $timeout = INF): array
    {
        return $this->waitForEnds([$id], $pollInterval, $timeout)->current();
    }

    /**
     * Each of these calls as it ends. One request every $pollInterval seconds serves all of them.
     *
     * @param iterable<string> $ids
     *
     * @return \Generator<int, CallDetail>
     *
     * @throws RequestTimeoutException
     */
    public function waitForEnds(iterable $ids, float $pollInterval = 2.0, float $timeout = INF): \Generator
    {
        $end = hrtime(true) / 1e9 + $timeout;
        $wait = $this->ends->begin($ids);
        try {
            foreach ($this->ends->left($wait) as $id) {
                $call = $this->get($id);
                if ($call['ended_at'] !== null && $this->ends->remove($wait, $id)) {
                    yield $call;
                }
            }
            for (;;) {
                while (($id = $this->ends->takeOver($wait)) !== null) {
                    yield $this->get($id);
                }
                $ids = $this->ends->left($wait);
                if ($ids === []) {
                    return;
                }
                $left = $end - hrtime(true) / 1e9;
                if ($left <= 0) {
                    throw new RequestTimeoutException("not over after $timeout s: " . implode(', ', $ids));
                }
                $this->ends->next(min($pollInterval, $left));
            }
        } finally {
            $this->ends->end($wait);
        }
    }

    /**
     * Every call that matches, page after page, newest first.
     *
     * @param array<string, mixed>|null $filter
     *
     * @return \Generator<int, CallRecord>
     */
    public function list(?array $filter = null): \Generator
    {
        return Pages::all($this->transport, '/calls', $filter);
    }

    /**
     * One page: data, and meta with nextCursor.
     *
     * @param array<string, mixed>|null $filter
     *
     * @return CallPage
     */
    public function page(?array $filter = null, int $page = 1, ?string $cursor = null): array
    {
        return Pages::one($this->transport, '/calls', $filter, $page, $cursor);
    }

    /**
     * Pages of calls that are new or were changed. Store the records of a page by their id, then keep its cursor.
     *
     * @param string|null $since a time with its offset; by default everything
     * @param string|null $cursor in place of $since: that of the last page that you stored
     *
     * @return \Generator<int, CallUpdates>
     */
    public function updates(?string $since = null, ?string $cursor = null, ?int $limit = null): \Generator
    {
        return Pages::updates($this->transport, '/calls/updated', $since, $cursor, $limit);
    }

    /** @return PlacedCall */
    public function hangup(string $id): array
    {
        return $this->transport->send('POST', self::path($id) . '/hangup');
    }

    /** @return PlacedCall */
    public function sendKeys(string $id, string $digits, string $to = 'destination'): array
    {
        return $this->transport->send('POST', self::path($id) . '/dtmf', body: ['digits' => $digits, 'to' => $to]);
    }

    /**
     * Connects the far side to an extension or a number.
     *
     * @return TransferredCall
     */
    public function transfer(string $id, string $to): array
    {
        return $this->transport->send('POST', self::path($id) . '/transfer', body: ['to' => $to]);
    }

    /**
     * The sound as a stream to read; without $sink, one of its own that goes to disk beyond 2 MB.
     *
     * @param resource|null $sink to write to while it arrives
     * @param ?int $channels 1 mixes both parties
     * @param ?string $first 'caller' puts the caller on channel 1
     * @param ?string $range a part, as bytes=0-1023
     * @param ?string $format wav (by default), ogg or mp3, which needs a program at the service: without it, 406 FORMAT_UNAVAILABLE
     *
     * @return resource
     */
    public function recording(
        string $id,
        mixed $sink = null,
        ?int $channels = null,
        ?string $first = null,
        ?string $range = null,
        ?string $format = null,
    ): mixed {
        if ($format !== null && !in_array($format, self::FORMATS, true)) {
            throw new \InvalidArgumentException("format is wav, ogg or mp3, not $format");
        }
        $name = $format === null ? 'recording' : "recording.$format";
        $stream = $sink ?? fopen('php://temp', 'w+b');
        $query = ['channels' => $channels, 'first' => $first];
        $headers = $range === null ? [] : ['Range' => $range];
        $this->transport->download('GET', self::path($id) . "/$name", $query, $headers, $stream);
        if ($sink === null) {
            rewind($stream);
        }
        return $stream;
    }

    private static function path(string $id): string
    {
        return '/calls/' . Transport::segment($id);
    }
}

<?php

declare(strict_types=1);

namespace Ramal;

/**
 * The feed of events. Keep the cursor of an event to go on behind it.
 *
 * @phpstan-import-type WebhookEvent from Types
 */
final class Events
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * The events that there are now, behind the cursor $after or from the oldest one kept.
     *
     * @return \Generator<int, WebhookEvent>
     */
    public function list(?string $after = null, ?int $limit = null): \Generator
    {
        do {
            $page = $this->page($after, $limit);
            foreach ($page['data'] as $event) {
                yield $event;
            }
            $after = $page['cursor'];
        } while ($page['more']);
    }

    /**
     * The events that there are, and then those to come.
     *
     * @param float $pollInterval seconds between requests while there is nothing new
     * @param float $idleTimeout ends when nothing came for so many seconds; by default it goes on for ever
     *
     * @return \Generator<int, WebhookEvent>
     */
    public function follow(
        ?string $after = null,
        ?int $limit = null,
        float $pollInterval = 2.0,
        float $idleTimeout = INF,
    ): \Generator {
        $idleSince = hrtime(true) / 1e9;
        for (;;) {
            $page = $this->page($after, $limit);
            foreach ($page['data'] as $event) {
                yield $event;
            }
            $after = $page['cursor'];
            if ($page['data'] !== []) {
                $idleSince = hrtime(true) / 1e9;
            }
            if ($page['more']) {
                continue;
            }
            $left = $idleSince + $idleTimeout - hrtime(true) / 1e9;
            if ($left <= 0) {
                return;
            }
            usleep((int) (min($pollInterval, $left) * 1_000_000));
        }
    }

    /** @return array{data: list<WebhookEvent>, cursor: string, more: bool} */
    private function page(?string $after, ?int $limit): array
    {
        return $this->transport->send('GET', '/events', ['after' => $after, 'limit' => $limit]);
    }
}

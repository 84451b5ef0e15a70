<?php

declare(strict_types=1);

namespace Ramal;

/**
 * Lists in pages, read to their end by the cursor that each page gives for the next.
 *
 * @internal
 */
final class Pages
{
    /**
     * @param array<string, mixed>|null $filter
     *
     * @return array{data: list<array<string, mixed>>, meta: array<string, mixed>}
     */
    public static function one(
        Transport $transport,
        string $path,
        ?array $filter = null,
        int $page = 1,
        ?string $cursor = null,
    ): array {
        $query = ['page' => $cursor === null ? $page : null, 'cursor' => $cursor, 'filter' => self::filter($filter)];
        return $transport->send('GET', $path, $query);
    }

    /**
     * @param array<string, mixed>|null $filter
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public static function all(Transport $transport, string $path, ?array $filter = null): \Generator
    {
        $cursor = null;
        do {
            $page = self::one($transport, $path, $filter, cursor: $cursor);
            foreach ($page['data'] as $row) {
                yield $row;
            }
            $cursor = $page['meta']['nextCursor'] ?? null;
        } while ($cursor !== null);
    }

    /**
     * Pages of changed records up to now.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public static function updates(
        Transport $transport,
        string $path,
        ?string $since,
        ?string $cursor,
        ?int $limit,
    ): \Generator {
        do {
            $start = $cursor === null ? ['updated_since' => $since] : ['cursor' => $cursor];
            $page = $transport->send('GET', $path, [...$start, 'limit' => $limit]);
            yield $page;
            $cursor = $page['cursor'];
        } while ($page['more']);
    }

    /**
     * An empty array would be a list in JSON.
     *
     * @param array<string, mixed>|null $filter
     *
     * @return array<string, mixed>|null
     */
    public static function filter(?array $filter): ?array
    {
        return $filter === [] ? null : $filter;
    }
}

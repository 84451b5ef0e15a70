<?php

declare(strict_types=1);

namespace Ramal;

/**
 * @phpstan-import-type Extension from Types
 * @phpstan-import-type ExtensionUpdates from Types
 */
final class Extensions
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * @param array<string, mixed>|null $filter
     *
     * @return list<Extension>
     */
    public function list(?array $filter = null): array
    {
        return $this->transport->send('GET', '/extensions', ['filter' => Pages::filter($filter)]);
    }

    /** @return Extension */
    public function get(int $id): array
    {
        return $this->transport->send('GET', "/extensions/$id");
    }

    /**
     * @param array<string, mixed> $fields
     *
     * @return Extension
     */
    public function create(array $fields, ?string $idempotencyKey = null): array
    {
        return $this->transport->send('POST', '/extensions', body: $fields, idempotencyKey: $idempotencyKey);
    }

    /**
     * On the next free number.
     *
     * @param array<string, mixed> $fields
     *
     * @return Extension
     */
    public function createNext(array $fields, ?string $idempotencyKey = null): array
    {
        return $this->transport->send('POST', '/extensions/next-available', body: $fields, idempotencyKey: $idempotencyKey);
    }

    /**
     * @param array<string, mixed> $fields
     *
     * @return Extension
     */
    public function update(int $id, array $fields): array
    {
        return $this->transport->send('PATCH', '/extensions', body: ['id' => $id, ...$fields]);
    }

    public function delete(int $id): void
    {
        $this->transport->send('DELETE', "/extensions/$id");
    }

    /**
     * Pages of what is new, was changed or removed. Store the records of a page by their id, then keep its cursor.
     *
     * @param string|null $since a time with its offset; by default everything
     * @param string|null $cursor in place of $since: that of the last page that you stored
     *
     * @return \Generator<int, ExtensionUpdates>
     */
    public function updates(?string $since = null, ?string $cursor = null, ?int $limit = null): \Generator
    {
        return Pages::updates($this->transport, '/extensions/updated', $since, $cursor, $limit);
    }
}

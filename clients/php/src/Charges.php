<?php

declare(strict_types=1);

namespace Ramal;

/**
 * @phpstan-import-type Charge from Types
 * @phpstan-import-type ChargeUpdates from Types
 * @phpstan-import-type CreatedCharge from Types
 */
final class Charges
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * @param array<string, mixed> $fields
     *
     * @return CreatedCharge
     */
    public function create(array $fields, ?string $idempotencyKey = null): array
    {
        return $this->transport->send('POST', '/charges', body: $fields, idempotencyKey: $idempotencyKey);
    }

    /** @return Charge */
    public function get(int $id): array
    {
        return $this->transport->send('GET', "/charges/$id");
    }

    /** @return Charge */
    public function cancel(int $id): array
    {
        return $this->transport->send('PATCH', "/charges/$id/cancel");
    }

    /**
     * @param array<string, mixed>|null $filter
     *
     * @return \Generator<int, Charge>
     */
    public function list(?array $filter = null): \Generator
    {
        return Pages::all($this->transport, '/charges', $filter);
    }

    /**
     * Pages of what is new or was changed. Store the records of a page by their id, then keep its cursor.
     *
     * @param string|null $since a time with its offset; by default everything
     * @param string|null $cursor in place of $since: that of the last page that you stored
     *
     * @return \Generator<int, ChargeUpdates>
     */
    public function updates(?string $since = null, ?string $cursor = null, ?int $limit = null): \Generator
    {
        return Pages::updates($this->transport, '/charges/updated', $since, $cursor, $limit);
    }
}

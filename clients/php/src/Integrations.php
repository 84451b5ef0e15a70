<?php

declare(strict_types=1);

namespace Ramal;

/**
 * @phpstan-import-type Delivery from Types
 * @phpstan-import-type DeliveryDetail from Types
 * @phpstan-import-type Integration from Types
 */
final class Integrations
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * @param array<string, mixed>|null $filter
     *
     * @return list<Integration>
     */
    public function list(?array $filter = null): array
    {
        return $this->transport->send('GET', '/integrations', ['filter' => Pages::filter($filter)]);
    }

    /** @return Integration */
    public function get(int $id): array
    {
        return $this->transport->send('GET', "/integrations/$id");
    }

    /**
     * Creates it or, with id, changes it. The answer has the secret of the webhook.
     *
     * @param array<string, mixed> $fields
     *
     * @return Integration
     */
    public function save(array $fields): array
    {
        return $this->transport->send('PATCH', '/integrations', body: $fields);
    }

    public function delete(int $id): void
    {
        $this->transport->send('DELETE', "/integrations/$id");
    }

    /**
     * Sends a test event.
     *
     * @return DeliveryDetail
     */
    public function test(int $id): array
    {
        return $this->transport->send('POST', "/integrations/$id/test");
    }

    /** @return Integration */
    public function rotateSecret(int $id): array
    {
        return $this->transport->send('POST', "/integrations/$id/rotate-secret");
    }

    /**
     * @param array<string, mixed>|null $filter
     *
     * @return \Generator<int, Delivery>
     */
    public function deliveries(int $id, ?array $filter = null): \Generator
    {
        return Pages::all($this->transport, "/integrations/$id/deliveries", $filter);
    }
}

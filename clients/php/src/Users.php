<?php

declare(strict_types=1);

namespace Ramal;

/**
 * @phpstan-import-type CreatedUser from Types
 * @phpstan-import-type User from Types
 */
final class Users
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /** @return User */
    public function me(): array
    {
        return $this->transport->send('GET', '/users/me');
    }

    /**
     * @param array<string, mixed>|null $filter
     *
     * @return list<User>
     */
    public function list(?array $filter = null): array
    {
        return $this->transport->send('GET', '/users', ['filter' => Pages::filter($filter)]);
    }

    /**
     * @param array<string, mixed> $fields
     *
     * @return CreatedUser
     */
    public function create(array $fields, ?string $idempotencyKey = null): array
    {
        return $this->transport->send('POST', '/users', body: $fields, idempotencyKey: $idempotencyKey);
    }
}

<?php

declare(strict_types=1);

namespace Ramal;

/**
 * @phpstan-import-type Balance from Types
 * @phpstan-import-type StatementEntry from Types
 */
final class Credits
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /** @return Balance */
    public function balance(): array
    {
        return $this->transport->send('GET', '/credits/balance');
    }

    /**
     * @param array<string, mixed>|null $filter
     *
     * @return \Generator<int, StatementEntry>
     */
    public function statement(?array $filter = null): \Generator
    {
        return Pages::all($this->transport, '/credits/statement', $filter);
    }
}

<?php

declare(strict_types=1);

namespace Ramal;

/**
 * Calls that end: one request in turn serves all that wait, however many calls there are.
 *
 * @internal
 */
final class CallEnds
{
    /** Later than every change: the answer has none, and the cursor of now. */
    private const TIME_TO_COME = '9999-01-01T00:00:00Z';
    private const LIMIT = 1000;

    /**
     * Calls that are waited for: `left` are not known to be over, `over` are, until they are taken. By the number of the
     * wait.
     *
     * @var array<int, array{left: array<string, true>, over: list<string>}>
     */
    private array $waits = [];
    private int $begun = 0;
    private string $cursor = '';
    private float $readAt = 0.0;

    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * From here on no end of these calls is missed.
     *
     * @param iterable<string> $ids
     */
    public function begin(iterable $ids): int
    {
        if ($this->waits === []) {
            $this->cursor = $this->request(['updated_since' => self::TIME_TO_COME, 'limit' => 1])['cursor'];
            $this->readAt = self::now();
        }
        $wait = ++$this->begun;
        $this->waits[$wait] = ['left' => [], 'over' => []];
        foreach ($ids as $id) {
            $this->waits[$wait]['left'][$id] = true;
        }
        return $wait;
    }

    public function end(int $wait): void
    {
        unset($this->waits[$wait]);
    }

    /** @return list<string> the ids of calls that are not known to be over */
    public function left(int $wait): array
    {
        return array_map(strval(...), array_keys($this->waits[$wait]['left']));
    }

    /** The id of a call that is over, each once; null if there is none. */
    public function takeOver(int $wait): ?string
    {
        return array_shift($this->waits[$wait]['over']);
    }

    /** Says that a call is over; false if that was known. */
    public function remove(int $wait, string $id): bool
    {
        $isLeft = isset($this->waits[$wait]['left'][$id]);
        unset($this->waits[$wait]['left'][$id]);
        return $isLeft;
    }

    /** Returns after the next request, which is sent $interval seconds after the last one, whoever sends it. */
    public function next(float $interval): void
    {
        usleep((int) (max(0.0, $this->readAt + $interval - self::now()) * 1_000_000));
        try {
            $this->read();
        } finally {
            $this->readAt = self::now();
        }
    }

    private function read(): void
    {
        do {
            $page = $this->request(['cursor' => $this->cursor, 'limit' => self::LIMIT]);
            foreach ($page['data'] as $call) {
                if ($call['ended_at'] !== null) {
                    $this->over($call['id']);
                }
            }
            $this->cursor = $page['cursor'];
        } while ($page['more']);
    }

    private function over(string $id): void
    {
        foreach (array_keys($this->waits) as $wait) {
            if ($this->remove($wait, $id)) {
                $this->waits[$wait]['over'][] = $id;
            }
        }
    }

    /**
     * @param array<string, mixed> $query
     *
     * @return array{data: list<array<string, mixed>>, cursor: string, more: bool}
     */
    private function request(array $query): array
    {
        return $this->transport->send('GET', '/calls/updated', $query);
    }

    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }
}

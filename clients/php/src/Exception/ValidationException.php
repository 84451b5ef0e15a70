<?php

declare(strict_types=1);

namespace Ramal\Exception;

class ValidationException extends ApiException
{
    /**
     * Problems by field.
     *
     * @return array<string, list<string>>
     */
    public function fields(): array
    {
        return $this->details['messages'] ?? [];
    }
}

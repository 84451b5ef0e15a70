<?php

declare(strict_types=1);

namespace Ramal\Exception\Call;

use Ramal\Exception\ConflictException;

class CallAlreadyRingingException extends ConflictException
{
    /** The call that rings. */
    public function callId(): string
    {
        return (string) ($this->details['callId'] ?? '');
    }
}

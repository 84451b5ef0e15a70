<?php

declare(strict_types=1);

namespace Ramal\Exception;

class WebhookVerificationException extends RamalException
{
    /** @param 'body'|'headers'|'timestamp'|'secret'|'signature' $reason */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}

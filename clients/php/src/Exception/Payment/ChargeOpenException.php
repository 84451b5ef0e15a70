<?php

declare(strict_types=1);

namespace Ramal\Exception\Payment;

use Ramal\Exception\ConflictException;

class ChargeOpenException extends ConflictException
{
}

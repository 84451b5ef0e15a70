<?php

declare(strict_types=1);

namespace Ramal\Exception\Payment;

use Ramal\Exception\ApiException;

class PaymentRefusedException extends ApiException
{
}

<?php

declare(strict_types=1);

namespace Ramal\Exception\Call;

use Ramal\Exception\ApiException;

class CallFailedException extends ApiException
{
}

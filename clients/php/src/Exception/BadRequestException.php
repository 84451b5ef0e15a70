<?php

declare(strict_types=1);

namespace Ramal\Exception;

class BadRequestException extends ApiException
{
}

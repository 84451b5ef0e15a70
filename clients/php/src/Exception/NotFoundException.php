<?php

declare(strict_types=1);

namespace Ramal\Exception;

class NotFoundException extends ApiException
{
}

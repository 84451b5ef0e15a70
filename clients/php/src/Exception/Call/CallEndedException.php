<?php

declare(strict_types=1);

namespace Ramal\Exception\Call;

use Ramal\Exception\NotFoundException;

class CallEndedException extends NotFoundException
{
}

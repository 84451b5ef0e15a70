<?php

declare(strict_types=1);

namespace Ramal\Exception;

class PermissionDeniedException extends ApiException
{
}

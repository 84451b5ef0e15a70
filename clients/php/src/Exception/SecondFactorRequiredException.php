<?php

declare(strict_types=1);

namespace Ramal\Exception;

/** Log in again with the code. */
class SecondFactorRequiredException extends AuthenticationException
{
}

<?php

declare(strict_types=1);

namespace Ramal\Exception;

/** A limit of the account: calls at once, calls or spending in a day. */
class LimitReachedException extends ApiException
{
}

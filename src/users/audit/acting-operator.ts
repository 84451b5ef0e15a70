/**
 * D649: the operator whose request is being answered. Every record of the audit log and of the operator's log reads it, so that
 * no service between the route and the record has to pass the name on, or could forget to.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** In place of an e-mail. */
export const operatorToken = 'token'
export const commandLine = 'command line'

const acting = new AsyncLocalStorage<string>()

/** Whatever `work` starts is recorded as done by this operator. */
export function actAs<T>(operator: string, work: () => T): T {
  return acting.run(operator, work)
}

/** Undefined outside a request of an operator. */
export const actingOperator = () => acting.getStore()

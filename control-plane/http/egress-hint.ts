import type { Context } from 'koa'
import type { FieldErrors } from '#control-plane/base/refusal.ts'
import { isForThisMachine } from '#egress/deny.ts'
import { notPublicMessage } from '#egress/guard.ts'
import type { Services } from './services.ts'

const hint =
  `${notPublicMessage} The operator of this installation may allow it: EGRESS_ALLOW=192.168.1.0/24, ` +
  'for the control plane and for the agents.'

/** Whether the caller runs the installation: an operator, or any caller where only this machine is served. */
const runsIt = ({ state }: Context, { config }: Pick<Services, 'config'>) =>
  state.caller?.user?.isSuperAdmin === true || isForThisMachine(config.host, config.baseUrl, config.trustedProxies)

/** Names to the operator the setting that admits private addresses. Other callers learn nothing of the installation. */
export function withEgressHint(
  errors: FieldErrors | undefined,
  context: Context,
  services: Pick<Services, 'config'>,
): FieldErrors | undefined {
  if (
    !errors ||
    !Object.values(errors).some(reasons => reasons.includes(notPublicMessage)) ||
    !runsIt(context, services)
  )
    return errors
  return Object.fromEntries(
    Object.entries(errors).map(([field, reasons]) => [
      field,
      reasons.map(reason => (reason === notPublicMessage ? hint : reason)),
    ]),
  )
}

import type { Caller } from '#control-plane/base/caller.ts'
import type { Services } from '#control-plane/http/services.ts'
import { isLoopbackHost } from '#egress/deny.ts'

/**
 * Whether an operator's session has a second factor, as the area of operators needs it in a browser: an authenticator,
 * or a passkey that opened the session or confirmed it. Not asked where the installation is reached by this machine
 * alone, so that a first start needs none; nor of sessions that are sent as a header, which are those of programs.
 */
export async function hasOperatorFactor(
  { config, platform }: Pick<Services, 'config' | 'platform'>,
  { isByCookie, authMethod, user }: Pick<Caller, 'isByCookie' | 'authMethod' | 'user'>,
): Promise<boolean> {
  if (!isByCookie || authMethod === 'passkey' || isLoopbackHost(new URL(config.baseUrl).hostname)) return true
  const { rowCount } = await platform.query(
    'select 1 from second_factors where user_id = $1 and confirmed_at is not null',
    [user?.id],
  )
  return rowCount === 1
}

import type { Services } from '#control-plane/http/services.ts'
import { clientOf } from './login.ts'
import { originAt } from './origin.ts'
import { openProvider, signedOutPath, signOutUrl } from './provider.ts'
import type { SsoTeam } from './team.ts'

/**
 * The address at the provider of a team where a browser signs out of it (OpenID Connect RP-Initiated Logout 1.0). We
 * keep no ID tokens, so the provider knows us by `client_id`, and asks the person. Null for a provider without such an
 * address. Throws a `SsoFailure`.
 */
export async function beginLogout(services: Services, team: SsoTeam, host: string): Promise<string | null> {
  if (team.config.protocol !== 'oidc') return null
  const provider = await openProvider(services.guard, clientOf(team, services.config))
  return signOutUrl(provider, originAt(services, host, team) + signedOutPath)
}

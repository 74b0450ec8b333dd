import { sql } from 'kysely'
import { hasFactorSql } from '#control-plane/identity/mfa/has-factor.ts'

/**
 * From when the session `k` of the membership `m` needs a second factor that its person does not have; null where
 * it needs none. `p` is the policy of the team. A passkey is two factors, and a provider of single sign-on asks for
 * factors itself.
 */
export const mfaDueSql = sql`case
  when p.mfa_required_at is not null and k.kind = 'ss' and m.role is not null
    and coalesce(k.auth_method, 'password') not in ('passkey', 'oidc', 'saml', 'partner_sso')
    and not ${hasFactorSql('k.user_id')}
  then greatest(p.mfa_required_at, m.created_at) + make_interval(days => p.mfa_grace_days) end`

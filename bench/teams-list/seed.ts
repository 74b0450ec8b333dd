import pg from 'pg'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'

export interface Amount {
  teams: number
  monitors: number
  incidents: number
}

const tokensCount = 100
const atATime = 1_000

/**
 * One reseller with many teams: of all plans, some paused, some on trial, with none to twice the usual number of
 * monitors. Answers its tokens.
 */
export async function seedTeams(
  { platformUrl, ownerUrl }: { platformUrl: string; ownerUrl: string },
  amount: Amount,
): Promise<string[]> {
  const platform = new pg.Pool({ connectionString: platformUrl, max: 1 })
  try {
    const reseller = await createTenant(platform, { name: 'Host', slug: 'host', plan: 'pro', isReseller: true })
    const tokens: string[] = []
    for (let n = 0; n < tokensCount; n++)
      tokens.push(
        (
          await createToken(platform, {
            kind: 'rk',
            tenantId: reseller,
            userId: null,
            name: 'bench',
            scopes: ['teams:manage'],
            expiresAt: null,
          })
        ).plain,
      )
    for (let first = 0; first < amount.teams; first += atATime)
      await someTeams(platform, reseller, first, Math.min(atATime, amount.teams - first), amount)
    await platform.query(openIncidents, [reseller, amount.incidents])
    return tokens
  } finally {
    await platform.end()
    const owner = new pg.Client({ connectionString: ownerUrl })
    await owner.connect()
    await owner.query('vacuum analyze')
    await owner.query('checkpoint')
    await owner.end()
  }
}

async function someTeams(
  platform: pg.Pool,
  reseller: string,
  first: number,
  count: number,
  amount: Amount,
): Promise<void> {
  await platform.query(
    `with made as (
       insert into tenants (id, name, slug, plan, paused_at, created_at)
       select gen_random_uuid(), 'Team ' || md5(n::text), 'team-' || n,
         (array['free', 'hobby', 'starter', 'pro'])[n % 4 + 1],
         case when n % 10 = 0 then now() end, now() - n * interval '1 minute'
       from generate_series($2::int, $2::int + $3::int - 1) n
       returning id, slug, created_at
     )
     insert into managed_teams (id, reseller_id, tenant_id, label, external_ref, metadata, trial_ends_at, created_at)
     select gen_random_uuid(), $1, id, 'label ' || left(slug, 7), slug, '{"customer":"bench"}',
       case when right(slug, 1) = '7' then now() + interval '10 days' end, created_at from made`,
    [reseller, first, count],
  )
  const each = Math.round(amount.monitors / amount.teams)
  await platform.query(
    `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
     recovery_confirmations, status, coverage)
     select gen_random_uuid(), t.tenant_id, 'Site ' || k, 'https://site.example/' || k, 'website', 300, 10,
       '{"mode":"majority","count":null}', 2, 2, 'up', 'full'
     from (select tenant_id, substr(slug, 6)::int as n from managed_teams where reseller_id = $1
       and substr(slug, 6)::int between $2 and $3) t,
       generate_series(1, case when n % 2 = 0 then n / 2 % (2 * $4 + 1) else 2 * $4 - n / 2 % (2 * $4 + 1) end) k`,
    [reseller, first, first + count - 1, each],
  )
}

/** Each in a team of its own, whose monitor is down with it. */
const openIncidents = `
  with failing as (
    update monitors m set status = 'down' from (
      select distinct on (m.tenant_id) m.id from monitors m join managed_teams t on t.tenant_id = m.tenant_id
        where t.reseller_id = $1 order by m.tenant_id, m.id limit $2
    ) f where m.id = f.id
    returning m.id, m.tenant_id
  )
  insert into incidents (id, tenant_id, monitor_id, check_type, number, title, severity, started_at, confirmed_at,
    quorum)
  select gen_random_uuid(), tenant_id, id, 'uptime', 1, 'Site is down', 'critical', now(), now(), '{}' from failing`

import { app, CallerUnderTest, type TeamUnderTest } from '#test/support/app.ts'

const { platform } = app.services

/** What row security, guards and scopes have in common for every path into one team. */
export async function refusedTo(
  callers: readonly CallerUnderTest[],
  method: string,
  path: string,
  body?: unknown,
): Promise<number[]> {
  const statuses: number[] = []
  for (const caller of callers) statuses.push((await caller.call(method, path, body)).status)
  return statuses
}

/** A team as it is stored, to be compared before and after. */
export async function storedTeam(team: TeamUnderTest): Promise<unknown> {
  const { rows } = await platform.query(
    `select to_jsonb(m) as team, to_jsonb(t) as tenant from managed_teams m join tenants t on t.id = m.tenant_id
     where m.id = $1`,
    [team.id],
  )
  return rows[0]
}

export async function trail(of: {
  tenantId: string
}): Promise<{ action: string; entity_type: string; entity_id: string; changes: unknown }[]> {
  const { rows } = await platform.query(
    'select action, entity_type, entity_id, changes from audit_entries where tenant_id = $1 order by created_at, id',
    [of.tenantId],
  )
  return rows
}

export async function published(
  of: { tenantId: string },
  kind = 'event',
): Promise<{ name: string; payload: Record<string, unknown> }[]> {
  const { rows } = await platform.query(
    'select name, payload from outbox where tenant_id = $1 and kind = $2 order by id',
    [of.tenantId, kind],
  )
  return rows
}

/** What was noted of a check, in order. */
export async function noted(check: string): Promise<string[]> {
  const { rows } = await platform.query<{ verdict: string }>(
    'select verdict from verdict_changes where check_id = $1 order by at, id',
    [check],
  )
  return rows.map(row => row.verdict)
}

/** The reseller inside one of its teams, by an impersonation token. */
export async function anImpersonator(reseller: CallerUnderTest, team: TeamUnderTest): Promise<CallerUnderTest> {
  const { body } = await reseller.post(`${team.path}/impersonation-tokens`)
  return new CallerUnderTest(team.tenantId, null, body.plain_text_token)
}

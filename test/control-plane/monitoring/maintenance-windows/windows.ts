import { app, type CallerUnderTest } from '#test/support/app.ts'

export const newWindow = (changes: Record<string, unknown> = {}) => ({
  title: 'Database upgrade',
  scope: { all: true },
  starts_at: '2120-11-29T02:00',
  timezone: 'Europe/Berlin',
  duration_minutes: 60,
  ...changes,
})

/** A local time in UTC, so many minutes from now. */
export const minutesFromNow = (minutes: number) =>
  new Date(app.services.clock.nowMs() + minutes * 60_000).toISOString().slice(0, 19)

export async function aWindow(team: CallerUnderTest, changes: Record<string, unknown> = {}) {
  const { status, body } = await team.post('/maintenance-windows', newWindow(changes))
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}

/** Names and titles of a team's events of maintenance, oldest first. */
export async function maintenanceEvents(team: { tenantId: string }): Promise<string[]> {
  const { rows } = await app.services.platform.query<{ name: string }>(
    `select name from outbox where tenant_id = $1 and kind = 'event' and name like 'maintenance.%' order by id`,
    [team.tenantId],
  )
  return rows.map(({ name }) => name)
}

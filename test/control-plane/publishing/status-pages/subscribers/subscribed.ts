import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import type { Mailer } from '#control-plane/alerting/mail/mailer.ts'
import { fanOut } from '#control-plane/publishing/status-pages/subscribers/fan-out.ts'
import { messageQueue } from '#control-plane/publishing/status-pages/subscribers/queue.ts'
import type { SendDeps } from '#control-plane/publishing/status-pages/subscribers/send.ts'
import type { Guard } from '#egress/guard.ts'
import { app, type CallerUnderTest } from '#test/support/app.ts'

const { platform, listener, log, config } = app.services

export interface PageUnderTest {
  id: string
  slug: string
  components: string[]
}

/** A published page with two components, put into the tables. */
export async function aPage(team: { tenantId: string }, changes: Record<string, unknown> = {}): Promise<PageUnderTest> {
  const id = randomUUID()
  const slug = `p-${id}`
  const columns = { name: 'Acme status', state: 'published', ...changes }
  const names = Object.keys(columns)
  await platform.query(
    `insert into status_pages (id, tenant_id, slug, ${names.join(', ')})
     values ($1, $2, $3, ${names.map((_, index) => `$${index + 4}`).join(', ')})`,
    [id, team.tenantId, slug, ...Object.values(columns)],
  )
  const components = [randomUUID(), randomUUID()]
  for (const [position, component] of components.entries())
    await platform.query(
      `insert into status_page_components (id, tenant_id, page_id, type, name, position)
       values ($1, $2, $3, 'static', $4, $5)`,
      [component, team.tenantId, id, `Part ${position}`, position],
    )
  return { id, slug, components }
}

/** Posts an incident with one update that subscribers are notified of; concerns these components. */
export async function anUpdate(team: { tenantId: string }, page: PageUnderTest, components: string[] = []) {
  const [post, update] = [randomUUID(), randomUUID()]
  await platform.query(
    `insert into status_page_posts (id, tenant_id, page_id, title, started_at) values ($1, $2, $3, 'Orders fail', now())`,
    [post, team.tenantId, page.id],
  )
  for (const component of components)
    await platform.query(
      `insert into status_page_post_components (post_id, component_id, page_id, tenant_id) values ($1, $2, $3, $4)`,
      [post, component, page.id, team.tenantId],
    )
  await platform.query(
    `insert into status_page_updates (id, tenant_id, post_id, body, notify_subscribers)
     values ($1, $2, $3, 'We are on it.', true)`,
    [update, team.tenantId, post],
  )
  return { post, update }
}

export const queueUpdates = () => fanOut({ platform, listener, log })

export const pathOf = (page: PageUnderTest) => `/status-pages/${page.id}/subscribers`

export async function aSubscriber(
  team: CallerUnderTest,
  page: PageUnderTest,
  body: Record<string, unknown> = {},
): Promise<{ id: string; address: string }> {
  const answer = await team.post(pathOf(page), { address: `${randomUUID()}@example.com`, confirmed: true, ...body })
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body.data
}

interface Sending {
  mailer: Pick<Mailer, 'send'>
  guard?: Pick<Guard, 'dispatcher' | 'refuseUrl'>
  divert?: SendDeps['divert']
}

/** A worker of this test; it sends messages of all tests. */
export const aWorker = (
  queue: 'mail' | 'http',
  { mailer, guard = app.services.guard, divert = async () => false }: Sending,
) => messageQueue(queue, { platform, listener, log, config, guard, mailer, divert })

/** Messages of a team that are not done. */
export async function waiting(team: { tenantId: string }): Promise<number> {
  const { rows } = await platform.query<{ n: number }>(
    'select count(*)::int as n from subscriber_messages where tenant_id = $1 and done_at is null',
    [team.tenantId],
  )
  return rows[0]?.n ?? 0
}

/** Waits until nothing is thrown any more. */
export const soon = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: 30_000, interval: 30 })

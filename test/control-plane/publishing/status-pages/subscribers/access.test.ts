import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { platformAt, Town } from '#test/control-plane/alerting/mail/posted.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import type { MailServer } from '#test/support/mail-server.ts'
import { anUpdate, aPage, aSubscriber, aWorker, type PageUnderTest, pathOf, queueUpdates, soon } from './subscribed.ts'

const { platform } = app.services
let town: Town
let server: MailServer
let worker: ReturnType<typeof aWorker>
beforeAll(async () => {
  town = await Town.found()
  server = await town.server({ encryption: 'ssl' })
  worker = aWorker('mail', { mailer: town.mailer(platformAt(server)) })
  worker.start()
})
afterAll(async () => {
  await worker.stop()
  await town.close()
})

const change = (team: CallerUnderTest, page: PageUnderTest, body: Record<string, unknown>) =>
  team.patch(`/status-pages/${page.id}`, body)

/** What became of the message of one update, by the address. */
async function outcomes(team: CallerUnderTest, page: PageUnderTest): Promise<Record<string, string>> {
  const { update } = await anUpdate(team, page)
  await queueUpdates()
  const { data } = (await team.get(`${pathOf(page)}?per_page=50`)).body
  return soon(async () => {
    const { rows } = await platform.query<{ id: string; outcome: string | null }>(
      'select subscriber_id as id, outcome from subscriber_messages where update_id = $1',
      [update],
    )
    expect(rows.filter(({ outcome }) => outcome === null)).toEqual([])
    const addresses = new Map((data as { id: string; address: string }[]).map(({ id, address }) => [id, address]))
    return Object.fromEntries(rows.map(({ id, outcome }) => [addresses.get(id), outcome]))
  })
}

/** One who subscribes on the page and confirms. */
async function aVisitor(page: PageUnderTest, address: string, body: Record<string, unknown> = {}) {
  const { status } = await given.stranger().post(`/status/${page.slug}/subscribe`, { address, ...body })
  expect(status).toBe(202)
  await platform.query(
    `update status_page_subscribers set state = 'active', confirmed_at = clock_timestamp()
     where page_id = $1 and state = 'pending'`,
    [page.id],
  )
}

describe('a page that becomes private', () => {
  test.each([
    ['a password', { access: 'password', password: 'a long new password' }],
    ['networks', { access: 'ip', allowed_ips: ['198.51.100.0/24'] }],
    ['e-mail domains', { access: 'email_domain', allowed_email_domains: ['inside.test'] }],
  ])('by %s sends no updates to those who subscribed before, and the answer counts them', async (_, body) => {
    const team = await given.tenant()
    const page = await aPage(team)
    const [one, other] = [`${randomUUID()}@outside.test`, `${randomUUID()}@outside.test`]
    await aVisitor(page, one)
    await aSubscriber(team, page, { address: other })
    expect(await outcomes(team, page)).toEqual({ [one]: 'sent', [other]: 'sent' })
    const answer = await change(team, page, body)
    expect([answer.status, answer.body.meta]).toEqual([200, { subscribers_without_access: 2 }])
    expect(await outcomes(team, page)).toEqual({ [one]: 'left_out', [other]: 'left_out' })
    expect((await change(team, page, { name: 'Other' })).body).not.toHaveProperty('meta')
    expect((await change(team, page, { access: 'public' })).body.meta).toEqual({ subscribers_without_access: 0 })
    expect(await outcomes(team, page)).toEqual({ [one]: 'sent', [other]: 'sent' })
  })

  test('for people who sign in sends updates to addresses of verified domains that were let in since', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const domain = `${randomUUID()}.test`
    await platform.query(
      `insert into sso_domains (id, tenant_id, domain, txt_token, verified_at)
       values (gen_random_uuid(), $1, $2, 'x', now())`,
      [team.tenantId, domain],
    )
    const before = `before@${domain}`
    await aSubscriber(team, page, { address: before })
    await platform.query(
      `update status_pages set access = 'sso', access_changed_at = clock_timestamp() where id = $1`,
      [page.id],
    )
    const [since, outside] = [`since@${domain}`, `${randomUUID()}@outside.test`]
    for (const address of [since, outside]) await aSubscriber(team, page, { address })
    expect(await outcomes(team, page)).toEqual({ [before]: 'left_out', [since]: 'sent', [outside]: 'left_out' })
  })
})

describe('a private page', () => {
  test('sends updates to addresses inside of its e-mail domains alone, also when these are narrowed', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const [inside, narrowed, below] = ['a@inside.test', 'b@narrowed.test', 'c@sub.inside.test']
    for (const address of [inside, narrowed, below]) await aSubscriber(team, page, { address })
    const domains = ['inside.test', 'narrowed.test']
    const first = await change(team, page, { access: 'email_domain', allowed_email_domains: domains })
    expect(first.body.meta).toEqual({ subscribers_without_access: 1 })
    expect(await outcomes(team, page)).toEqual({ [inside]: 'sent', [narrowed]: 'sent', [below]: 'left_out' })
    const second = await change(team, page, { allowed_email_domains: ['inside.test'] })
    expect(second.body.meta).toEqual({ subscribers_without_access: 2 })
    expect(await outcomes(team, page)).toEqual({ [inside]: 'sent', [narrowed]: 'left_out', [below]: 'left_out' })
  })

  test('sends updates to those who were let in with its password, until that changes and they show the new one', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const stranger = `${randomUUID()}@outside.test`
    await aVisitor(page, stranger)
    const [first, second] = ['the first long password', 'the second long password']
    await change(team, page, { access: 'password', password: first })
    const [friend, added] = [`${randomUUID()}@friends.test`, `${randomUUID()}@friends.test`]
    await aVisitor(page, friend, { password: first })
    await aSubscriber(team, page, { address: added })
    expect(await outcomes(team, page)).toEqual({ [stranger]: 'left_out', [friend]: 'sent', [added]: 'sent' })
    expect((await change(team, page, { password: second })).body.meta).toEqual({ subscribers_without_access: 3 })
    await aVisitor(page, friend, { password: second })
    expect(await outcomes(team, page)).toEqual({ [stranger]: 'left_out', [friend]: 'sent', [added]: 'left_out' })
  })

  test('sends updates to those who were let in from its networks, until one is taken away', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    await change(team, page, { access: 'ip', allowed_ips: ['192.0.2.0/24', '198.51.100.0/24'] })
    const { address: friend } = await aSubscriber(team, page)
    const more = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24']
    await change(team, page, { allowed_ips: more })
    expect(await outcomes(team, page)).toEqual({ [friend]: 'sent' })
    const answer = await change(team, page, { allowed_ips: more.slice(1) })
    expect(answer.body.meta).toEqual({ subscribers_without_access: 1 })
    expect(await outcomes(team, page)).toEqual({ [friend]: 'left_out' })
  })
})

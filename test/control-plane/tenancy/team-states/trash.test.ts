import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RuleBook } from '#control-plane/alerting/dispatch/rule-book.ts'
import { suppressedFor } from '#control-plane/alerting/mail/suppression.ts'
import { originOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { account, ask, gone, platformAt, setServer, Town } from '#test/control-plane/alerting/mail/posted.ts'
import { Visitor } from '#test/control-plane/identity/pages/visitor.ts'
import { aDomain } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { app, given } from '#test/support/app.ts'
import type { MailServer } from '#test/support/mail-server.ts'

const { platform, listener, config, log } = app.services

let town: Town
let own: MailServer
let operators: MailServer
beforeAll(async () => {
  town = await Town.found()
  ;[own, operators] = [await town.server({ account }), await town.server({ encryption: 'ssl' })]
  town.mailWorker(town.mailer(platformAt(operators)))
})
afterAll(() => town?.close())

/** A team in the trash of a reseller with a brand. */
async function inTrash() {
  const reseller = await given.reseller()
  await platform.query(`insert into brandings (tenant_id, brand_name) values ($1, 'Hostora')`, [reseller.tenantId])
  const team = await given.team(reseller)
  const { name } = (await reseller.get(team.path)).body.data
  expect((await reseller.delete(team.path, { confirm_name: name })).status).toBe(204)
  return { reseller, team }
}

test('of a team in the trash only mails about accounts leave, in the brand and by the server of its reseller', async () => {
  const { reseller, team } = await inTrash()
  await setServer({ tenantId: reseller.tenantId, port: own.port })
  const address = `${randomUUID()}@example.net`
  const to = { userId: null, email: address, name: 'Pat', language: 'en' }
  for (const type of ['member_removed', 'digest', 'billing_invoice_issued', 'security_password_changed'] as const)
    await gone(await ask(team.tenantId, type, { to }))
  const arrived = (server: MailServer) => server.arrived.filter(mail => mail.to.includes(address))
  expect(arrived(own).map(({ mail }) => [mail.from?.name, mail.subject])).toEqual([
    ['Hostora', expect.stringContaining('password')],
  ])
  expect(arrived(operators)).toEqual([])
})

test('links in mails of a team in the trash begin at its reseller’s portal, and pages keep the brand', async () => {
  const { reseller, team } = await inTrash()
  const { html } = await new Visitor().get(`/password-reset?team=${team.tenantId}`)
  expect(html).toContain('Hostora')
  const { id, hostname } = await aDomain(await given.token(reseller, 'ss', []), { purpose: 'portal' })
  await platform.query(`update custom_domains set state = 'active' where id = $1`, [id])
  expect(new URL(await originOf(platform, config, team.tenantId)).hostname).toBe(hostname)
})

test('a mail that the reseller suppresses is handed to its webhook also while the team is in the trash', async () => {
  const { reseller, team } = await inTrash()
  const type = 'security_password_changed'
  const webhook = { name: 'Automation', url: 'https://example.com/hook', secret: 'a secret of sixteen' }
  expect((await reseller.post('/reseller/webhooks', { ...webhook, events: [`email.${type}`] })).status).toBe(201)
  await platform.query(`insert into email_suppressions (tenant_id, types) values ($1, array[$2])`, [
    reseller.tenantId,
    type,
  ])
  const book = new RuleBook({ platform, listener, log })
  expect((await suppressedFor(book, team.tenantId, type))?.channels).toHaveLength(1)
  book.close()
})

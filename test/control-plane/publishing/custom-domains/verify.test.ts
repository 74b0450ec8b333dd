import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { checkDueDomains } from '#control-plane/publishing/custom-domains/watch.ts'
import { customHostsOf } from '#control-plane/tenancy/portal-hosts/custom-hosts.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { aDomain, aPage, Zone } from './domains.ts'

const { platform, log } = app.services
const config = { baseUrl: 'http://localhost' }
const hosts = customHostsOf(app.services)
let zone: Zone
beforeAll(async () => {
  zone = await Zone.open()
})
beforeEach(async () => {
  zone.isAnswering = true
  // those of other tests
  await platform.query(`update custom_domains set next_check_at = null where next_check_at <= clock_timestamp()`)
})
afterAll(() => zone.close())

const check = () => checkDueDomains({ platform, log, config, guard: zone.guard })
const due = (id: string) =>
  platform.query('update custom_domains set next_check_at = clock_timestamp() where id = $1', [id])
const stateOf = async (team: CallerUnderTest, id: string) => (await team.get(`/custom-domains/${id}`)).body.data
const ask = (domain: string) => given.stranger().get(`/domains/ask?domain=${encodeURIComponent(domain)}`)
/** Waits until the API has read the list of hostnames again. */
const isKnown = (hostname: string, is = true) =>
  until(async () => (hosts.find(hostname) !== undefined) === is, { withinMs: 10_000, everyMs: 20 })

async function aVerified(team: CallerUnderTest) {
  const domain = await aDomain(team, { target_id: await aPage(team) })
  zone.set(domain)
  await check()
  return domain
}

describe('the check of a custom domain', () => {
  test('verifies it once both records are there, and is repeated a day later', async () => {
    const team = await given.tenant()
    const domain = await aDomain(team)
    await check()
    expect(await stateOf(team, domain.id)).toMatchObject({ state: 'pending_dns', last_error: 'txt_missing' })
    zone.texts.set(domain.dns.txt_name, [`${domain.dns.txt_value}x`])
    await due(domain.id)
    await check()
    expect(await stateOf(team, domain.id)).toMatchObject({ state: 'pending_dns', last_error: 'txt_wrong' })
    zone.texts.set(domain.dns.txt_name, [domain.dns.txt_value])
    await due(domain.id)
    await check()
    expect(await stateOf(team, domain.id)).toMatchObject({ state: 'pending_dns', last_error: 'cname_missing' })
    zone.aliases.set(domain.hostname, 'elsewhere.example.org')
    await due(domain.id)
    await check()
    expect(await stateOf(team, domain.id)).toMatchObject({ state: 'pending_dns', last_error: 'cname_wrong' })
    zone.aliases.set(domain.hostname, 'LOCALHOST')
    await due(domain.id)
    await check()
    const verified = await stateOf(team, domain.id)
    expect(verified).toMatchObject({ state: 'verified', last_error: null })
    const waitS = (Date.parse(verified.next_check_at) - Date.parse(verified.verified_at)) / 1_000
    expect(waitS).toBeGreaterThan(0.94 * 86_400)
    expect(waitS).toBeLessThan(1.06 * 86_400)
    expect((await app.audited(team)).at(-1)).toBe('custom_domain.verified')
  })

  test('accepts the addresses of our host at the top of a zone, and no others', async () => {
    const team = await given.tenant()
    const domain = await aDomain(team)
    zone.texts.set(domain.dns.txt_name, [domain.dns.txt_value])
    zone.addresses.set('localhost', ['192.0.2.7', '192.0.2.8'])
    zone.addresses.set(domain.hostname, ['192.0.2.8', '192.0.2.9'])
    await check()
    expect(await stateOf(team, domain.id)).toMatchObject({ state: 'pending_dns', last_error: 'cname_wrong' })
    zone.addresses.set(domain.hostname, ['192.0.2.8'])
    await due(domain.id)
    await check()
    expect((await stateOf(team, domain.id)).state).toBe('verified')
  })

  test('fails it when the TXT record is gone in two checks in a row, and its page is not served any more', async () => {
    const team = await given.tenant()
    const { id, hostname, dns } = await aVerified(team)
    expect(await isKnown(hostname)).toBe(true)
    zone.texts.delete(dns.txt_name)
    await due(id)
    await check()
    expect(await stateOf(team, id)).toMatchObject({ state: 'verified', last_error: 'txt_missing' })
    await due(id)
    await check()
    expect(await stateOf(team, id)).toMatchObject({ state: 'failed', last_error: 'txt_missing' })
    expect(await isKnown(hostname, false)).toBe(true)
    expect((await ask(hostname)).status).toBe(404)
    zone.texts.set(dns.txt_name, [dns.txt_value])
    await due(id)
    await check()
    expect((await stateOf(team, id)).state).toBe('verified')
  })

  test('leaves it as it is while its name servers do not answer', async () => {
    const team = await given.tenant()
    const { id } = await aVerified(team)
    zone.isAnswering = false
    for (let times = 0; times < 3; times++) {
      await due(id)
      await check()
    }
    expect(await stateOf(team, id)).toMatchObject({ state: 'verified', last_error: 'dns_unanswered' })
  })

  test('verifies a hostname for one team only, and for another once the first has lost its record', async () => {
    const [first, second] = [await given.tenant(), await given.tenant()]
    const theirs = await aVerified(first)
    const ours = await aDomain(second, { hostname: theirs.hostname })
    await check()
    expect(await stateOf(second, ours.id)).toMatchObject({ state: 'pending_dns', last_error: 'txt_wrong' })
    zone.texts.set(ours.dns.txt_name, [theirs.dns.txt_value, ours.dns.txt_value])
    await due(ours.id)
    await check()
    expect(await stateOf(second, ours.id)).toMatchObject({ state: 'pending_dns', last_error: 'taken' })
    expect((await stateOf(first, theirs.id)).state).toBe('verified')
    zone.texts.set(ours.dns.txt_name, [ours.dns.txt_value])
    for (let times = 0; times < 2; times++) {
      await due(theirs.id)
      await check()
    }
    expect((await stateOf(first, theirs.id)).state).toBe('failed')
    await due(ours.id)
    await check()
    expect((await stateOf(second, ours.id)).state).toBe('verified')
  })

  test('goes on with the TXT record that a former version asked for', async () => {
    const team = await given.tenant()
    const { id, hostname, dns } = await aDomain(team, { target_id: await aPage(team) })
    zone.set({ hostname, dns: { ...dns, txt_name: `_vedette.${hostname}`, txt_value: `vedette-${dns.txt_value}` } })
    await due(id)
    await check()
    expect(await stateOf(team, id)).toMatchObject({ state: 'verified', last_error: null })
  })

  test('cannot be passed by the former TXT record of a domain that was deleted', async () => {
    const [first, second] = [await given.tenant(), await given.tenant()]
    const { id, hostname } = await aVerified(first)
    expect((await first.delete(`/custom-domains/${id}`)).status).toBe(204)
    const ours = await aDomain(second, { hostname })
    await check()
    expect(await stateOf(second, ours.id)).toMatchObject({ state: 'pending_dns', last_error: 'txt_wrong' })
  })

  test('goes into quarantine where a row cannot be checked, and stops no other team', async () => {
    const [bad, good] = [await given.tenant(), await given.tenant()]
    const [broken, sound] = [await aDomain(bad), await aDomain(good)]
    zone.set(sound)
    await platform.query(`update custom_domains set hostname = 'not..a-name' where id = $1`, [broken.id])
    await check()
    expect((await stateOf(good, sound.id)).state).toBe('verified')
    const listed = `select tenant_id, reason from quarantined_rows where kind = 'custom_domain' and key = $1`
    expect((await platform.query(listed, [broken.id])).rows).toEqual([
      { tenant_id: bad.tenantId, reason: 'The hostname is no name.' },
    ])
    await platform.query('update custom_domains set hostname = $2 where id = $1', [broken.id, broken.hostname])
    await due(broken.id)
    await check()
    expect((await platform.query(listed, [broken.id])).rows).toEqual([])
  })
})

describe('a hostname that a proxy asks for', () => {
  test('gets a certificate only if it is verified, however it is written', async () => {
    const team = await given.tenant()
    const pending = await aDomain(team)
    const { id, hostname } = await aVerified(team)
    await isKnown(hostname)
    expect((await ask(pending.hostname)).status).toBe(404)
    const asked = await ask(`${hostname.toUpperCase()}.`)
    expect(asked.status).toBe(200)
    expect(asked.body).toEqual({ domain: hostname })
    for (const other of [`x.${hostname}`, `${hostname}/`, `evil.com:x@${hostname}`, `${hostname}\u0000`, '*', '%', ''])
      expect((await ask(other)).status, other).not.toBe(200)
    expect(await until(async () => (await stateOf(team, id)).state === 'issuing', { withinMs: 5_000 })).toBe(true)
  })

  test('becomes active when its page is asked for, and belongs to that page', async () => {
    const team = await given.tenant()
    const { id, hostname, target_id } = await aVerified(team)
    await isKnown(hostname)
    const host = hosts.find(`${hostname}:443`)!
    expect(host).toMatchObject({ tenantId: team.tenantId, pageId: target_id })
    for (let times = 0; times < 3; times++) hosts.reached(host)
    expect(await until(async () => (await stateOf(team, id)).state === 'active', { withinMs: 5_000 })).toBe(true)
    for (const forged of [`a@${hostname}`, `${hostname}:x`, ` ${hostname}`, `${hostname}..`])
      expect(hosts.find(forged), forged).toBeUndefined()
  })

  test('is not served once the plan, the page or the domain is gone', async () => {
    const team = await given.tenant()
    const { id, hostname } = await aVerified(team)
    await isKnown(hostname)
    await team.patch(`/custom-domains/${id}`, { is_enabled: false })
    expect(await isKnown(hostname, false)).toBe(true)
    const other = await given.tenant()
    const served = await aVerified(other)
    await isKnown(served.hostname)
    await platform.query(`update tenants set plan = 'free' where id = $1`, [other.tenantId])
    // plans change without a notice; any change of a domain has the list read again
    await platform.query(`select pg_notify('custom_domains', '')`)
    expect(await isKnown(served.hostname, false)).toBe(true)
  })
})

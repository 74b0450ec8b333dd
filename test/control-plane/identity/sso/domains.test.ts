import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  afterCheck,
  type CheckedDomain,
  checkDomain,
  checkedColumns,
  expiryDays,
} from '#control-plane/identity/sso/domain-check.ts'
import { checkDueSsoDomains } from '#control-plane/identity/sso/domain-watch.ts'
import { Zone } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { aDomainName } from './scene.ts'

const { platform, log } = app.services
const now = new Date('2026-01-31T09:30:00Z')
const waiting = { isVerified: false, attempts: 0, restartedAt: now }
const verified = { isVerified: true, attempts: 0, restartedAt: now }

describe('a check of a domain', () => {
  test('verifies it, and comes again a day later', () => {
    expect(afterCheck(waiting, null, now)).toEqual({ isVerified: true, attempts: 0, nextS: 86_400 })
  })

  test('comes ever less often while the record is missing, and no more after fourteen days', () => {
    const waits = [0, 1, 2, 6, 100].map(attempts => afterCheck({ ...waiting, attempts }, 'txt_missing', now).nextS)
    expect(waits).toEqual([60, 120, 240, 3_600, 3_600])
    const edge = new Date(now.getTime() + expiryDays * 86_400_000)
    expect(afterCheck(waiting, 'txt_missing', edge).nextS).not.toBeNull()
    expect(afterCheck(waiting, 'txt_missing', new Date(edge.getTime() + 1)).nextS).toBeNull()
  })

  test('loses a verified domain when two in a row miss the record', () => {
    const once = afterCheck(verified, 'txt_wrong', now)
    expect(once).toEqual({ isVerified: true, attempts: 1, nextS: 3_600 })
    expect(afterCheck({ ...verified, attempts: once.attempts }, 'txt_missing', now).isVerified).toBe(false)
  })

  test('says nothing when the name servers do not answer', () => {
    expect(afterCheck({ ...verified, attempts: 1 }, 'dns_unanswered', now)).toMatchObject({
      isVerified: true,
      attempts: 1,
    })
  })
})

describe('domains in the DNS', () => {
  let zone: Zone
  beforeAll(async () => {
    zone = await Zone.open()
  })
  afterAll(() => zone.close())

  const add = async (team: CallerUnderTest, domain = aDomainName()) =>
    (await team.post('/sso/domains', { domain })).body.data
  const check = async (id: string) => {
    const { rows } = await platform.query<CheckedDomain>(
      `select ${checkedColumns.join(', ')} from sso_domains where id = $1`,
      [id],
    )
    await checkDomain({ platform, guard: zone.guard }, rows[0]!)
  }
  const shown = async (team: CallerUnderTest, id: string) => (await team.get(`/sso/domains/${id}`)).body.data

  test('are verified by their TXT record, and lost after it is gone', async () => {
    const team = await given.tenant()
    const { id, dns } = await add(team)
    await check(id)
    expect(await shown(team, id)).toMatchObject({ is_verified: false, last_error: 'txt_missing' })
    zone.texts.set(dns.txt_name, ['verify=another'])
    await check(id)
    expect(await shown(team, id)).toMatchObject({ is_verified: false, last_error: 'txt_wrong' })
    zone.texts.set(dns.txt_name, ['v=spf1 -all', dns.txt_value])
    await check(id)
    expect(await shown(team, id)).toMatchObject({ is_verified: true, last_error: null })
    zone.texts.delete(dns.txt_name)
    await check(id)
    expect(await shown(team, id)).toMatchObject({ is_verified: true, last_error: 'txt_missing' })
    await check(id)
    expect(await shown(team, id)).toMatchObject({ is_verified: false, verified_at: null })
    expect(await app.audited(team)).toEqual(['sso_domain.created', 'sso_domain.verified', 'sso_domain.lost'])
  })

  test('that were proven by a record of a former version stay verified', async () => {
    const team = await given.tenant()
    const { id, domain, dns } = await add(team)
    zone.texts.set(`_vedette-sso.${domain}`, [dns.txt_value.replace('verify', 'vedette-sso-verify')])
    await check(id)
    expect(await shown(team, id)).toMatchObject({ is_verified: true, last_error: null })
  })

  test('belong to one team: a second that proves it waits until the first has lost it', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const domain = aDomainName()
    const [first, second] = [await add(team, domain), await add(other, domain)]
    zone.texts.set(first.dns.txt_name, [first.dns.txt_value])
    await check(first.id)
    zone.texts.set(first.dns.txt_name, [second.dns.txt_value])
    await check(second.id)
    expect(await shown(other, second.id)).toMatchObject({ is_verified: false, last_error: 'taken' })
    await check(first.id)
    await check(first.id)
    await check(second.id)
    expect(await shown(team, first.id)).toMatchObject({ is_verified: false })
    expect(await shown(other, second.id)).toMatchObject({ is_verified: true })
  })

  test('are checked when they are due', async () => {
    const team = await given.tenant()
    const { id, dns } = await add(team)
    zone.texts.set(dns.txt_name, [dns.txt_value])
    await checkDueSsoDomains({ platform, log, guard: zone.guard })
    expect(await shown(team, id)).toMatchObject({ is_verified: true })
  })
})

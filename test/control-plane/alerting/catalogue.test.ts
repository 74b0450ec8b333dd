import { randomUUID } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aliases, events } from '#contract/events.ts'
import { resellerScopes } from '#contract/scopes.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { WriteBatch } from '#control-plane/engine/verdicts/batch.ts'
import { writeBatch } from '#control-plane/engine/verdicts/write-batch.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { takeEpoch } from '#test/support/epoch.ts'
import { confirmRecipients } from '#test/support/recipients.ts'
import { aTenantOf } from './alerted.ts'
import { Receiver } from './receiver.ts'

/** Events that no API call causes, with the tests that cause them. */
const causedElsewhere: Record<string, string> = {
  'incident.created': 'test/journeys/notifications.patient.test.ts',
  'incident.resolved': 'test/journeys/notifications.patient.test.ts',
  'maintenance.scheduled': 'test/control-plane/monitoring/maintenance-windows/actions.test.ts',
  'incident.acknowledged': 'test/control-plane/alerting/dispatch/ends.test.ts',
  'incident.escalated': 'test/control-plane/alerting/escalation-policies/runs.test.ts',
  'incident.escalation_exhausted': 'test/control-plane/alerting/escalation-policies/runs.test.ts',
  'maintenance.started': 'test/control-plane/monitoring/maintenance-windows/actions.test.ts',
  'maintenance.ended': 'test/control-plane/monitoring/maintenance-windows/actions.test.ts',
  'maintenance.cancelled': 'test/control-plane/monitoring/maintenance-windows/actions.test.ts',
  'billing.plan_changed': 'test/control-plane/billing/manual.test.ts',
  'billing.payment_failed': 'test/control-plane/billing/manual.test.ts',
  'billing.invoice_paid': 'test/control-plane/billing/manual.test.ts',
  'on_call.gap_found': 'test/control-plane/alerting/on-call-schedules/notices.test.ts',
  'slo.budget_burning': 'test/control-plane/monitoring/objectives/watch.test.ts',
  'slo.budget_exhausted': 'test/control-plane/monitoring/objectives/watch.test.ts',
  'slo.budget_recovered': 'test/control-plane/monitoring/objectives/watch.test.ts',
  'monitor.flapping': 'test/control-plane/engine/suppression/suppression.test.ts',
  'monitor.flapping_resolved': 'test/control-plane/engine/suppression/suppression.test.ts',
  'storm.detected': 'test/control-plane/engine/suppression/suppression.test.ts',
  'storm.resolved': 'test/control-plane/engine/suppression/suppression.test.ts',
  'team.trial_ending': 'test/control-plane/reselling/managed-teams/trial.test.ts',
  'team.trial_expired': 'test/control-plane/reselling/managed-teams/trial.test.ts',
}

/** Warnings: results cause them. The statements are tested with every name. */
const warnings = 'test/control-plane/engine/warnings/warnings.test.ts'
const causedByLooks = (name: string) => /^(warning|dns|certificate)\./.test(name)

/**
 * Events that results cause, by the statements of the engine: a warning that begins, worsens and ends, and a change.
 */
async function decided(check: string): Promise<void> {
  const term = await takeEpoch(served.platform)
  const regions = ['eu', 'us']
  const warned = {
    check_id: check,
    event: 'warning.ssl_expiring',
    since: Date.now(),
    code: 'ssl_expiring',
    regions,
    details: {},
  }
  const write = async (fill: (bundle: ReturnType<WriteBatch['of']>) => void) => {
    const group = new WriteBatch()
    fill(group.of(check))
    await writeBatch(served.platform, term, group, defaultSuppression)
  }
  for (const depth of [1, 2])
    await write(bundle => {
      bundle.warning = { ...warned, depth, reason: `Rung ${depth} is reached.` }
    })
  await write(bundle => {
    bundle.cleared = warned
    const payload = events.get('certificate.renewed')!.example
    bundle.detected.push({
      id: randomUUID(),
      check_id: check,
      at: Date.now(),
      event: 'certificate.renewed',
      regions,
      payload,
      is_muted: false,
    })
  })
}

const ofMails = [...events.keys()].filter(name => name.startsWith('email.'))
const ofOthers = [...events.keys()].filter(name => !name.startsWith('email.'))

let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('catalogue', { roles: ['api', 'worker'] })
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

/** The files that name an event where they cause it. Files that only send events are excluded. */
async function emitters(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for await (const file of glob(
    '{checks,control-plane/{access,billing,engine,identity,importing,monitoring,passive,publishing,reselling,tenancy},' +
      'control-plane/alerting/{escalation-policies,on-call-schedules}}/**/*.ts',
  )) {
    const text = await readFile(file, 'utf8')
    for (const name of ofOthers) if (text.includes(`'${name}'`)) found.set(name, [...(found.get(name) ?? []), file])
  }
  return found
}

test('every event is caused here and matches its schema, or has another test, or is listed', async () => {
  const reseller = await aTenantOf(served, receiver, { isReseller: true })
  const { channel } = await reseller.subscribe(ofOthers)
  const { plain } = await createToken(served.platform, {
    kind: 'rk',
    tenantId: reseller.id,
    userId: null,
    name: 'all',
    scopes: resellerScopes.filter(scope => scope.endsWith(':manage')),
    expiresAt: null,
  })
  const call = async (method: string, path: string, body?: unknown, refused = false) => {
    const response = await fetch(`${served.plane.baseUrl}/api/v1/reseller/managed-teams${path}`, {
      method,
      headers: { Authorization: `Bearer ${plain}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.ok === refused) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text ? JSON.parse(text).data : undefined
  }
  const slug = `team-${randomUUID()}`
  const team = await call('POST', '', { name: 'Acme', slug, plan: 'free', label: 'gold' })
  const at = `/${team.id}`
  const person = async (n: number) =>
    call('POST', `${at}/members`, {
      name: 'Pat Person',
      email: `pat-${n}-${slug}@people.test`,
      password: 'a long password of this morning',
    })
  await served.platform.query(
    `update tenants set feature_overrides = '{"monitors":2,"seats":null,"team_members":null}' where id = $1`,
    [team.tenant_id],
  )
  const [removed, erased] = [await person(1), await person(2)]
  await call('DELETE', `${at}/members/${removed.user_id ?? removed.id}`)
  await call('POST', `${at}/members/${erased.user_id ?? erased.id}/erase`)
  const monitor = (name: string) => ({ name, url: `https://${name}.example.com/` })
  const { id } = await call('POST', `${at}/monitors`, monitor('shop'))
  await call('PATCH', `${at}/monitors/${id}`, { name: 'Shop window' })
  const address = `ops-${slug}@people.test`
  await confirmRecipients(served.platform, team.tenant_id, address)
  const mailed = await call('POST', `${at}/notification-channels`, {
    name: 'Ops',
    type: 'email',
    config: { recipients: [address] },
  })
  await call('POST', `${at}/notification-rules`, {
    channel_id: mailed.id,
    event_types: ['ssl.expiring', 'warning.cleared', 'certificate.renewed'],
  })
  await decided((await call('POST', `${at}/monitors/${id}/checks`, { type: 'ssl' })).id)
  const page = await call('POST', `${at}/status-pages`, { name: 'Acme', slug, state: 'published' })
  const post = await call('POST', `${at}/status-pages/${page.id}/posts`, { title: 'Checkout fails', body: 'Sorry.' })
  await call('POST', `${at}/status-pages/${page.id}/posts/${post.id}/updates`, { phase: 'resolved', body: 'Well.' })
  await call('PATCH', `${at}/monitors/${id}`, { is_enabled: false })
  await call('PATCH', `${at}/monitors/${id}`, { is_enabled: true })
  await call('POST', `${at}/monitors`, monitor('blog'))
  await call('POST', `${at}/monitors`, monitor('one-too-many'), true)
  await call('DELETE', `${at}/monitors/${id}`)
  await call('POST', `${at}/pause`, { reason: 'unpaid' })
  await call('POST', `${at}/unpause`)
  await call('DELETE', at, { confirm_name: 'Acme' })
  await call('POST', `${at}/restore`)

  const caused = ofOthers.filter(name => !(name in causedElsewhere) && !causedByLooks(name))
  const deliveredEvents = () => new Set(reseller.received().map(({ body }) => String(body.event)))
  await eventually(() => (caused.every(name => deliveredEvents().has(name)) ? true : undefined), 150_000).catch(
    () => undefined,
  )
  expect(
    caused.filter(name => !deliveredEvents().has(name)),
    'never delivered',
  ).toEqual([])
  // also by its alias, and in the texts of its mails
  const mails = await eventually(async () => {
    const { rows } = await served.platform.query(
      'select type, subject from mail_sink_messages where recipients = $1 order by created_at',
      [[address]],
    )
    return rows.length >= 4 ? rows : undefined
  })
  expect(mails).toEqual([
    { type: 'warning', subject: expect.stringContaining('Warning for Shop window: Rung 1 is reached') },
    { type: 'warning', subject: expect.stringContaining('Warning for Shop window: Rung 2 is reached') },
    {
      type: 'warning',
      subject: expect.stringContaining('All clear for Shop window: Rung 2 is reached – this is over'),
    },
    { type: 'certificate_renewed', subject: expect.stringContaining('The certificate of Shop window was renewed') },
  ])
  expect(
    ['warning.ssl_expiring', 'warning.cleared', 'certificate.renewed'].filter(name => !deliveredEvents().has(name)),
  ).toEqual([])
  for (const { body } of reseller.received()) {
    const { event, timestamp, _managed_tenant, ...payload } = body
    const { error } = events.get(event)!.schema.safeParse(payload)
    expect(error?.issues ?? [], event).toEqual([])
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    if (/^(monitor|incident|storm)\./.test(event))
      expect(_managed_tenant, event).toMatchObject({ managed_tenant_id: team.tenant_id, label: 'gold' })
  }
  expect((await reseller.call('GET', `/notification-logs?channel_id=${channel.id}&status=failed`)).length).toBe(0)

  const where = await emitters()
  for (const name of ofOthers) {
    const files = where.get(name) ?? []
    expect(files.length, `${name} is caused nowhere`).toBeGreaterThan(0)
    const elsewhere = causedElsewhere[name]
    if (elsewhere) expect(await readFile(elsewhere, 'utf8'), `${elsewhere} says nothing of ${name}`).toContain(name)
  }
  const rows = ofOthers.map(name => {
    const proof =
      causedElsewhere[name] ?? (causedByLooks(name) ? warnings : 'test/control-plane/alerting/catalogue.test.ts')
    return `| ${name} | ${(where.get(name) ?? ['not yet']).join(', ')} | ${proof} |`
  })
  console.log(['| Event | Emitted in | Test |', '|---|---|---|', ...rows].join('\n'))
  expect(Object.keys(aliases).filter(alias => events.has(alias))).toEqual([])
  expect(ofMails).toHaveLength(events.size - ofOthers.length)
}, 240_000)
